// Command icons fills catalog/assets with pictures of two npm packages, and sets the logos and images of the
// records in catalog/icons.csv. It makes no network requests:
//
//	npm pack @web3icons/core@VERSION simple-icons@VERSION, unpack both
//	go run ./scripts/icons --web3icons DIR --simple-icons DIR
//
// catalog/icons.csv is reviewed: each line joins a record, with its name, and a picture, with its title. The
// program stops if a record has another name by now, or a picture another title.
package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/picture"
)

func main() {
	web3 := flag.String("web3icons", "", "folder of the package @web3icons/core")
	simple := flag.String("simple-icons", "", "folder of the package simple-icons")
	catalog := flag.String("catalog", "catalog", "catalogue directory with icons.csv")
	flag.Parse()
	if err := run(*web3, *simple, *catalog); err != nil {
		fmt.Fprintln(os.Stderr, "icons: error:", err)
		os.Exit(1)
	}
}

// join is a line of icons.csv.
type join struct{ kind, key, name, source, icon, title string }

// file returns the name of the asset, which several records may share.
func (j join) file() string {
	kind, name, _ := strings.Cut(j.icon, "/")
	return strings.TrimSuffix(kind, "s") + "-" + strings.ToLower(name) + ".svg"
}

func run(web3, simple, catalog string) error {
	joins, err := readJoins(filepath.Join(catalog, "icons.csv"))
	if err != nil {
		return err
	}
	icons, err := newSimpleIcons(simple)
	if err != nil {
		return err
	}
	assets := map[string]string{}
	for _, j := range joins {
		var svg string
		switch j.source {
		case "web3icons":
			svg, err = web3icon(web3, j.icon)
		case "simple-icons":
			svg, err = icons.svg(j)
		default:
			err = fmt.Errorf("there is no package %q", j.source)
		}
		if err == nil {
			if fault := picture.Check(picture.SVG, svg); fault != nil {
				err = fmt.Errorf("%s; %s", fault.What, fault.Remedy)
			}
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w", j.kind, j.key, err)
		}
		assets[j.file()] = svg
	}
	if err := apply(catalog, joins); err != nil {
		return err
	}
	return writeAssets(filepath.Join(catalog, "assets"), assets)
}

func readJoins(name string) ([]join, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	r := csv.NewReader(f)
	r.FieldsPerRecord = 6
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	var joins []join
	for _, row := range rows[1:] {
		joins = append(joins, join{row[0], row[1], row[2], row[3], row[4], row[5]})
	}
	return joins, nil
}

// writeAssets makes the pictures of dir the given ones.
func writeAssets(dir string, assets map[string]string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if _, ok := assets[e.Name()]; !ok && strings.HasSuffix(e.Name(), ".svg") {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(assets)) {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(assets[name]), 0o644))
	}
	return err
}

// The markup of web3icons that pictures do not need: classes, sizes, white space, and a clip that is the
// view box.
var (
	module    = regexp.MustCompile(`(?s)=\s*(['"` + "`" + `])(.*)['"` + "`" + `]\s*;?\s*export`)
	blanks    = regexp.MustCompile(`>\s+<`)
	clipped   = regexp.MustCompile(`^(<svg[^>]*>)<g clip-path="url\(#([\w-]+)\)">(.*)</g>(.*)</svg>$`)
	wholeClip = regexp.MustCompile(`<clipPath id="([\w-]+)"><path fill="#fff" d="M0 0h24v24H0z"/></clipPath>`)
)

// web3icon returns a picture of @web3icons/core, with a background if there is one.
func web3icon(dir, icon string) (string, error) {
	kind, name, _ := strings.Cut(icon, "/")
	var data []byte
	var err error
	for _, variant := range []string{"background", "branded"} {
		if data, err = os.ReadFile(filepath.Join(dir, "dist", "svgs", kind, variant, name+".svg.js")); err == nil {
			break
		}
	}
	if err != nil {
		return "", err
	}
	m := module.FindSubmatch(data)
	if m == nil {
		return "", fmt.Errorf("%s is not a module with one text", icon)
	}
	svg, err := strconv.Unquote(`"` + strings.NewReplacer(`\'`, `'`, `"`, `\"`, "\n", `\n`).Replace(string(m[2])) + `"`)
	if err != nil {
		return "", fmt.Errorf("%s: %w", icon, err)
	}
	svg = blanks.ReplaceAllString(strings.TrimSpace(svg), "><")
	svg = strings.NewReplacer(` class="web3icons"`, "", ` width="24" height="24"`, "").Replace(svg)
	if c := clipped.FindStringSubmatch(svg); c != nil {
		if w := wholeClip.FindStringSubmatch(c[4]); w != nil && w[1] == c[2] {
			svg = c[1] + c[3] + strings.Replace(strings.Replace(c[4], w[0], "", 1), "<defs></defs>", "", 1) + "</svg>"
		}
	}
	return svg + "\n", nil
}

// simpleIcons are the pictures of simple-icons: a path and a colour each.
type simpleIcons struct {
	dir     string
	colours map[string]string // hexadecimal, by title
}

func newSimpleIcons(dir string) (simpleIcons, error) {
	data, err := os.ReadFile(filepath.Join(dir, "data", "simple-icons.json"))
	if err != nil {
		return simpleIcons{}, err
	}
	var all []struct{ Title, Hex string }
	if err := json.Unmarshal(data, &all); err != nil {
		return simpleIcons{}, err
	}
	s := simpleIcons{dir, map[string]string{}}
	for _, icon := range all {
		s.colours[icon.Title] = icon.Hex
	}
	return s, nil
}

var simpleIcon = regexp.MustCompile(`^<svg role="img" viewBox="0 0 24 24" xmlns="http://www.w3.org/2000/svg"><title>([^<]*)</title><path d="([^"]*)"/></svg>\s*$`)

// svg returns the picture on its colour, black or white, whichever has more contrast.
func (s simpleIcons) svg(j join) (string, error) {
	_, name, _ := strings.Cut(j.icon, "/")
	data, err := os.ReadFile(filepath.Join(s.dir, "icons", name+".svg"))
	if err != nil {
		return "", err
	}
	m := simpleIcon.FindSubmatch(data)
	if m == nil || string(m[1]) != j.title {
		return "", fmt.Errorf("%s is not the picture %q", j.icon, j.title)
	}
	colour := s.colours[j.title]
	n, err := strconv.ParseUint(colour, 16, 24)
	if err != nil {
		return "", fmt.Errorf("%s has the colour %q", j.icon, colour)
	}
	on := "#fff"
	if 299*(n>>16)+587*(n>>8&255)+114*(n&255) > 150_000 {
		on = "#000"
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#%s" d="M0 0h24v24H0z"/><path fill="%s" transform="translate(4.8 4.8) scale(.6)" d="%s"/></svg>`+"\n",
		strings.ToLower(colour), on, m[2]), nil
}

// apply sets logos of chains and images of apps.
func apply(catalog string, joins []join) error {
	d, err := bundle.Read(context.Background(), os.DirFS(catalog), bundle.Options{Unchecked: true})
	if err != nil {
		return err
	}
	c := d.Catalog
	names := map[string]string{}
	for i := range c.Chains {
		names["chains "+c.Chains[i].Slug], _ = c.Chains[i].Name.In(c.DefaultLocale)
	}
	for i := range c.Apps {
		names["apps "+c.Apps[i].Key], _ = c.Apps[i].Title.In(c.DefaultLocale)
	}
	chosen := map[string]string{}
	for _, j := range joins {
		record := j.kind + " " + j.key
		switch name, ok := names[record]; {
		case !ok:
			return fmt.Errorf("there is no %s", record)
		case name != j.name:
			return fmt.Errorf("the name of %s is %q, icons.csv has %q: review the line", record, name, j.name)
		case chosen[record] != "":
			return fmt.Errorf("%s has two lines", record)
		}
		chosen[record] = "assets/" + j.file()
	}
	if err := applyChains(catalog, c, chosen); err != nil {
		return err
	}
	return applyApps(filepath.Join(catalog, "apps.yaml"), chosen)
}

// applyChains sets the logos of chains. One that is not joined any more loses its picture.
func applyChains(catalog string, c *domain.Catalog, chosen map[string]string) error {
	for _, name := range []string{"chains/evm.ndjson", "chains/other.yaml"} {
		data, err := os.ReadFile(filepath.Join(catalog, name))
		if err != nil {
			return err
		}
		var amendments []bundle.Amendment
		for _, chain := range c.Chains {
			logo := chosen["chains "+chain.Slug]
			if logo == chain.Logo || logo == "" && domain.AssetFile(chain.Logo) == "" {
				continue
			}
			chain.Logo = logo
			amendments = append(amendments, bundle.Amendment{Fields: []string{"logo"}, Chain: chain})
		}
		edits, refused := bundle.AmendChains(name, data, c.DefaultLocale, amendments)
		for slug, err := range refused {
			if strings.Contains(string(data), "slug: "+slug+"\n") || strings.Contains(string(data), `"slug":"`+slug+`"`) {
				return fmt.Errorf("%s: chain %s: %w", name, slug, err)
			}
		}
		if err := os.WriteFile(filepath.Join(catalog, name), bundle.ApplyEdits(data, edits), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// applyApps sets the images of apps, each in the line after its link.
func applyApps(name string, chosen map[string]string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var out []string
	image := ""
	for line := range strings.Lines(string(data)) {
		if key, ok := strings.CutPrefix(line, "  - key: "); ok {
			image = chosen["apps "+strings.TrimSpace(key)]
		}
		if strings.HasPrefix(line, "    image: assets/") {
			continue
		}
		out = append(out, line)
		if strings.HasPrefix(line, "    link: ") && image != "" {
			out = append(out, "    image: "+image+"\n")
		}
	}
	return os.WriteFile(name, []byte(strings.Join(out, "")), 0o644)
}
