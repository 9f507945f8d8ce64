package quality_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/domain"
)

// stateOfCatalogue is the day of the last review of the catalogue. A figure of a later
// day is a mistake; update the day with new recordings.
const stateOfCatalogue domain.Date = "2026-11-21"

// figureSources are the sources that figures may have. NOTICE names each.
var figureSources = []string{"defillama", "github.com/ablondel42/Zero", "github.com/mit-bunny/AI_Influencers_X"}

func figureBars() []bar {
	return []bar{
		{"figures have source and date", bareFigures},
		{"figures are of a source that NOTICE names", unknownSources},
		{"figures are not of the future", futureFigures},
	}
}

// eachFigure calls see with every figure and its record.
func eachFigure(c *domain.Catalog, see func(record string, name domain.FigureName, f domain.Figure)) {
	look := func(record string, name domain.FigureName, f *domain.Figure) {
		if f != nil {
			see(record, name, *f)
		}
	}
	for _, ch := range c.Chains {
		look("chain "+ch.Slug, domain.FigureTVL, ch.TVL)
		look("chain "+ch.Slug, domain.FigurePlatforms, ch.Platforms)
	}
	for _, a := range c.Accounts {
		look("account "+a.Handle, domain.FigureFollowers, a.Followers)
	}
	for _, ch := range c.Channels {
		look("channel "+ch.ChannelID, domain.FigureSubscribers, ch.Subscribers)
	}
}

func bareFigures(c *domain.Catalog) []finding {
	var out []finding
	eachFigure(c, func(record string, name domain.FigureName, f domain.Figure) {
		if f.Source == "" || f.AsOf == "" {
			out = append(out, finding{record, fmt.Sprintf("%s is %v without source and date", name, f.Value)})
		}
	})
	return out
}

func unknownSources(c *domain.Catalog) []finding {
	var out []finding
	eachFigure(c, func(record string, name domain.FigureName, f domain.Figure) {
		if !slices.Contains(figureSources, f.Source) {
			out = append(out, finding{record, fmt.Sprintf("%s is from %q: name the source in NOTICE and in figureSources", name, f.Source)})
		}
	})
	return out
}

// Dates of this form compare as texts.
func futureFigures(c *domain.Catalog) []finding {
	var out []finding
	eachFigure(c, func(record string, name domain.FigureName, f domain.Figure) {
		if f.AsOf > stateOfCatalogue {
			out = append(out, finding{record, fmt.Sprintf("%s is of %s, after the state of the catalogue, %s", name, f.AsOf, stateOfCatalogue)})
		}
	})
	return out
}

func TestSourcesAreInNotice(t *testing.T) {
	notice, err := os.ReadFile(filepath.FromSlash("../../NOTICE"))
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range figureSources {
		if !strings.Contains(strings.ToLower(string(notice)), strings.ToLower(source)) {
			t.Errorf("NOTICE does not name %s", source)
		}
	}
}
