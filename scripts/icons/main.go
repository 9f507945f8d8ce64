// Command icons fills catalog/assets with pictures from seven npm packages, and sets the logos and images of the
// records in catalog/icons.csv. It makes no network requests:
//
//	npm pack @web3icons/core@VERSION simple-icons@VERSION @hyperlane-xyz/registry@VERSION
//	    @polkadot/apps-config@VERSION cryptocurrency-icons@VERSION @thirdweb-dev/chain-icons@VERSION
//	    @provenanceio/walletconnect-js@VERSION, unpack all
//	go run ./scripts/icons --web3icons DIR --simple-icons DIR --hyperlane DIR --polkadot DIR
//	    --cryptocurrency-icons DIR --thirdweb DIR --provenance DIR
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
	"path"
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
	var dirs packages
	flag.StringVar(&dirs.web3, "web3icons", "", "folder of the package @web3icons/core")
	flag.StringVar(&dirs.simple, "simple-icons", "", "folder of the package simple-icons")
	flag.StringVar(&dirs.hyperlane, "hyperlane", "", "folder of the package @hyperlane-xyz/registry")
	flag.StringVar(&dirs.polkadot, "polkadot", "", "folder of the package @polkadot/apps-config")
	flag.StringVar(&dirs.coins, "cryptocurrency-icons", "", "folder of the package cryptocurrency-icons")
	flag.StringVar(&dirs.thirdweb, "thirdweb", "", "folder of the package @thirdweb-dev/chain-icons")
	flag.StringVar(&dirs.provenance, "provenance", "", "folder of the package @provenanceio/walletconnect-js")
	catalog := flag.String("catalog", "catalog", "catalogue directory with icons.csv")
	flag.Parse()
	if err := run(dirs, *catalog); err != nil {
		fmt.Fprintln(os.Stderr, "icons: error:", err)
		os.Exit(1)
	}
}

// packages are the folders of the npm packages.
type packages struct{ web3, simple, hyperlane, polkadot, coins, thirdweb, provenance string }

// join is a line of icons.csv.
type join struct{ kind, key, name, source, icon, title string }

// file returns the name of the asset, which several records may share.
func (j join) file() string {
	kind, name, _ := strings.Cut(j.icon, "/")
	if path.Ext(name) != ".png" {
		name += ".svg"
	}
	return strings.TrimSuffix(kind, "s") + "-" + strings.ToLower(name)
}

func run(dirs packages, catalog string) error {
	joins, err := readJoins(filepath.Join(catalog, "icons.csv"))
	if err != nil {
		return err
	}
	icons, err := newSimpleIcons(dirs.simple)
	if err != nil {
		return err
	}
	assets := map[string]string{}
	for _, j := range joins {
		var content string
		switch j.source {
		case "web3icons":
			content, err = web3icon(dirs.web3, j.icon)
		case "simple-icons":
			content, err = icons.svg(j)
		case "hyperlane-registry":
			content, err = hyperlaneLogo(dirs.hyperlane, j)
		case "polkadot-apps-config":
			content, err = plainPicture(filepath.Join(dirs.polkadot, "ui", "logos"), j.icon)
		case "cryptocurrency-icons":
			content, err = plainPicture(filepath.Join(dirs.coins, "svg", "color"), path.Base(j.icon))
		case "thirdweb-chain-icons":
			content, err = plainPicture(filepath.Join(dirs.thirdweb, "svg"), path.Base(j.icon))
		case "provenance-walletconnect-js":
			content, err = plainPicture(filepath.Join(dirs.provenance, "lib", "images"), path.Base(j.icon))
		default:
			err = fmt.Errorf("there is no package %q", j.source)
		}
		if err == nil {
			format := picture.FormatOf(j.file())
			encoded := picture.Encode(format, []byte(content)) // without metadata, so that no start has to remove it
			if fault := picture.Check(format, encoded); fault != nil {
				err = fmt.Errorf("%s; %s", fault.What, fault.Remedy)
			}
			content = string(picture.Decode(format, encoded))
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w", j.kind, j.key, err)
		}
		assets[j.file()] = content
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
		if _, ok := assets[e.Name()]; !ok && picture.FormatOf(e.Name()) != "" {
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

// hyperlaneLogo returns the logo of a chain of @hyperlane-xyz/registry, whose metadata must have the title.
func hyperlaneLogo(dir string, j join) (string, error) {
	_, name, _ := strings.Cut(j.icon, "/")
	folder := filepath.Join(dir, "dist", "chains", name)
	data, err := os.ReadFile(filepath.Join(folder, "metadata.json"))
	if err != nil {
		return "", err
	}
	var chain struct{ DisplayName string }
	if err := json.Unmarshal(data, &chain); err != nil {
		return "", err
	}
	if chain.DisplayName != j.title {
		return "", fmt.Errorf("%s is the logo of %q", j.icon, chain.DisplayName)
	}
	return plainPicture(folder, "logo")
}

var (
	idle  = regexp.MustCompile(` (?:class|data-[\w-]+|aria-[\w-]+|xml:space)="[^"]*"`)
	sized = regexp.MustCompile(`^(<svg[^>]*?) width="(\d+)(?:px)?" height="(\d+)(?:px)?"([^>]*>)`)
)

// plainPicture returns a PNG, or an SVG without attributes that have no effect, and with a view box.
func plainPicture(dir, name string) (string, error) {
	if path.Ext(name) != ".png" {
		name += ".svg"
	}
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil || path.Ext(name) == ".png" {
		return string(data), err
	}
	svg := idle.ReplaceAllString(blanks.ReplaceAllString(strings.TrimSpace(string(data)), "><"), "")
	if m := sized.FindStringSubmatch(svg); m != nil {
		if head := m[1] + m[4]; !strings.Contains(head, "viewBox=") {
			svg = strings.Replace(svg, m[0], m[1]+fmt.Sprintf(` viewBox="0 0 %s %s"`, m[2], m[3])+m[4], 1)
		}
	}
	return onWhite(svg) + "\n", nil
}

var (
	colour  = regexp.MustCompile(`(?:fill|stroke|stop-color|color)[=:]["']?([^"';]+)`)
	viewBox = regexp.MustCompile(`^(<svg[^>]* viewBox=")([-\d.]+) ([-\d.]+) ([\d.]+) ([\d.]+)("[^>]*>)`)
)

// onWhite gives an SVG that has only dark colours a white background with a margin: on a dark page, it could not be
// seen.
func onWhite(svg string) string {
	for _, m := range colour.FindAllStringSubmatch(svg, -1) {
		if !isDark(m[1]) {
			return svg
		}
	}
	m := viewBox.FindStringSubmatch(svg)
	if m == nil {
		return svg
	}
	var box [4]float64
	for i := range box {
		var err error
		if box[i], err = strconv.ParseFloat(m[2+i], 64); err != nil {
			return svg
		}
	}
	margin := max(box[2], box[3]) / 5
	x, y, side := box[0]+box[2]/2-max(box[2], box[3])/2-margin, box[1]+box[3]/2-max(box[2], box[3])/2-margin, 7*margin
	return fmt.Sprintf(`%s%g %g %g %g%s<path fill="#fff" d="M%g %gh%gv%gh-%gz"/>%s`,
		m[1], x, y, side, side, m[6], x, y, side, side, side, svg[len(m[0]):])
}

// isDark reports whether a colour of an SVG is dark, or none. Colours that are neither hexadecimal nor black are not.
func isDark(colour string) bool {
	if colour == "none" || colour == "black" || colour == "currentColor" {
		return true
	}
	hex, ok := strings.CutPrefix(colour, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	n, err := strconv.ParseUint(hex, 16, 24)
	return ok && err == nil && luma(n) < 60_000
}

// luma returns the brightness of a colour, from 0 to 255,000.
func luma(rgb uint64) uint64 { return 299*(rgb>>16) + 587*(rgb>>8&255) + 114*(rgb&255) }

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
	if luma(n) > 150_000 {
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
