package cli

import (
	"vitrine/internal/operations"
	"vitrine/internal/site"
)

// siteFlags say whether there is a site, and what it looks like.
type siteFlags struct {
	Site          string `enum:"on,off" default:"on" help:"Pages for people beside the API: ${enum} (default ${default})."`
	SiteName      string `placeholder:"NAME" help:"What the site is called (default: the title of the catalogue)."`
	SiteLogo      string `placeholder:"FILE" help:"SVG or PNG that stands beside the name."`
	SiteAccent    string `placeholder:"COLOUR" help:"Colour of links and bars, as #1a2b3c."`
	SiteFooter    string `placeholder:"TEXT" help:"A line in the foot of every page."`
	SiteCSS       string `name:"site-css" placeholder:"FILE" help:"Stylesheet that follows the site's own."`
	SiteTemplates string `placeholder:"DIR" help:"Templates in the place of the site's own of the same name."`
	SiteImages    string `enum:"on,off" default:"on" help:"Logos, which browsers load from their hosts: ${enum}; off shows first letters alone (default ${default})."`
}

func (f *siteFlags) look() site.Look {
	return site.Look{
		Name: f.SiteName, Logo: f.SiteLogo, Accent: f.SiteAccent, Footer: f.SiteFooter, CSS: f.SiteCSS,
		Templates: f.SiteTemplates, NoImages: f.SiteImages == "off",
	}
}

// pages returns what makes the pages, nil for none.
func (f *siteFlags) pages(publicURL string) (operations.Pages, error) {
	if f.Site == "off" {
		return nil, nil
	}
	return site.New(site.Config{PublicURL: publicURL, Look: f.look()})
}
