package cli

import (
	"vitrine/internal/operations"
	"vitrine/internal/site"
)

// siteFlags configure the site.
type siteFlags struct {
	Site          string `enum:"on,off" default:"on" help:"Whether to serve the site beside the API: ${enum} (default ${default})."`
	SiteName      string `placeholder:"NAME" help:"Name of the site (default: the title of the catalogue)."`
	SiteLogo      string `placeholder:"FILE" help:"SVG or PNG shown beside the name."`
	SiteAccent    string `placeholder:"COLOUR" help:"Colour of links and bars, such as #1a2b3c."`
	SiteFooter    string `placeholder:"TEXT" help:"Line in the footer of every page."`
	SiteCSS       string `name:"site-css" placeholder:"FILE" help:"Stylesheet that is added after the site's own."`
	SiteTemplates string `placeholder:"DIR" help:"Templates that replace the site's own of the same name."`
	SiteImages    string `enum:"own,remote,off" default:"own" help:"Logos that pages show: ${enum}. own are the pictures of the catalogue; remote adds those that browsers load from other hosts (default ${default})."`
}

func (f *siteFlags) look() site.Look {
	images := site.Images(f.SiteImages)
	if images == "own" {
		images = site.ImagesOwn
	}
	return site.Look{
		Name: f.SiteName, Logo: f.SiteLogo, Accent: f.SiteAccent, Footer: f.SiteFooter, CSS: f.SiteCSS,
		Templates: f.SiteTemplates, Images: images,
	}
}

// pages returns the site, nil if it is off. mcp reports whether the server has an MCP endpoint.
// emptySearch gets the texts of searches without results; see [site.Config].
func (f *siteFlags) pages(publicURL string, mcp bool, emptySearch func(text string)) (operations.Pages, error) {
	if f.Site == "off" {
		return nil, nil
	}
	return site.New(site.Config{PublicURL: publicURL, NoMCP: !mcp, Look: f.look(), EmptySearch: emptySearch})
}
