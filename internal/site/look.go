package site

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Look is how an operator makes the site their own. The zero Look is the site as it comes.
type Look struct {
	Name      string // in the head of every page; "" for the title of the catalogue
	Logo      string // file of an SVG or PNG beside the name; "" for none
	Accent    string // colour of links and bars, as #rrggbb; "" for the site's own
	Footer    string // a line of text in the foot of every page
	CSS       string // file of rules that follow the site's own
	Templates string // directory of templates that take the place of those of the same name; "" for none
	NoImages  bool   // monograms alone, so that no request leaves for another host
}

const defaultAccent = "#12606b"

func (l Look) withDefaults() Look {
	l.Accent = cmp.Or(l.Accent, defaultAccent)
	return l
}

var colour = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// Check reports what is wrong with a look that can be said before any file is read.
func (l Look) Check() error {
	if l.Accent != "" && !colour.MatchString(l.Accent) {
		return fmt.Errorf("the accent colour %q is not of the form #1a2b3c", l.Accent)
	}
	if ext := strings.ToLower(path.Ext(l.Logo)); l.Logo != "" && ext != ".svg" && ext != ".png" {
		return fmt.Errorf("the logo %q is neither .svg nor .png", l.Logo)
	}
	return nil
}

//go:embed templates
var templateFiles embed.FS

// layout is the template that all pages share; the other shared ones are what some of them use.
const layout = "layout.html"

func shared() []string { return []string{layout, "parts.html", "records.html", "plots.html"} }

// parseTemplates parses the templates of all pages. A file of overrides takes the place
// of the one with its name.
func parseTemplates(overrides string) (map[string]*template.Template, error) {
	read := func(name string) (string, error) {
		if overrides != "" {
			text, err := os.ReadFile(path.Join(overrides, name))
			if err == nil {
				return string(text), nil
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
		text, err := templateFiles.ReadFile("templates/" + name)
		return string(text), err
	}
	if overrides != "" {
		if info, err := os.Stat(overrides); err != nil {
			return nil, err
		} else if !info.IsDir() {
			return nil, fmt.Errorf("%s is no directory", overrides)
		}
	}
	base := template.New("pages")
	for _, name := range shared() {
		text, err := read(name)
		if err != nil {
			return nil, err
		}
		if _, err := base.New(name).Parse(text); err != nil {
			return nil, err
		}
	}
	entries, err := templateFiles.ReadDir("templates")
	if err != nil {
		return nil, err
	}
	pages := map[string]*template.Template{}
	for _, entry := range entries {
		name := entry.Name()
		if slices.Contains(shared(), name) {
			continue
		}
		text, err := read(name)
		if err != nil {
			return nil, err
		}
		page, err := base.Clone()
		if err != nil {
			return nil, err
		}
		if pages[strings.TrimSuffix(name, ".html")], err = page.New(name).Parse(text); err != nil {
			return nil, err
		}
	}
	return pages, nil
}
