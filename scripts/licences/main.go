// Licences lists the modules that are part of the binary for Linux, with their
// versions, licences and the texts of these, as THIRD_PARTY.md has them:
//
//	go run ./scripts/licences > THIRD_PARTY.md
//
// With --sbom, it adds the licences to a bill of materials of that binary:
//
//	go run ./scripts/licences --sbom < FILE > COMPLETE
//
// It reads the module cache through the go command, and fails for licences that are not allowed.
// It depends on Vitrine only for the package of the binary.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// binary is the package whose dependencies are listed.
const binary = "vitrine/cmd/vitrine"

// sameAsGo has Go's own licence, which packaged toolchains may lack.
const sameAsGo = "golang.org/x/text"

// standardLibrary is the path of the module of the standard library.
const standardLibrary = "the standard library and runtime of Go"

// licence is an allowed licence, with words that only its text has.
type licence struct {
	id    string // SPDX
	words *regexp.Regexp
}

// allowed returns licences that only require their text to be included.
func allowed() []licence {
	return []licence{
		{"Apache-2.0", regexp.MustCompile(`apache license version 2\.0, january 2004`)},
		{"BSD-2-Clause", regexp.MustCompile(`redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met`)},
		{"BSD-3-Clause", regexp.MustCompile(`neither the names? .{1,200} may be used to endorse or promote products derived from`)},
		{"MIT", regexp.MustCompile(`permission is hereby granted, free of charge, to any person obtaining a copy of this software`)},
		{"ISC", regexp.MustCompile(`permission to use, copy, modify, and(/or)? distribute this software for any purpose with or without fee`)},
		{"blessing", regexp.MustCompile(`the author disclaims copyright to this source code|sqlite is public domain|dedicated to the public domain`)},
	}
}

// refused matches words of licences with further requirements.
var refused = regexp.MustCompile(`gnu (affero |lesser |library )?general public licen[sc]e|mozilla public licen[sc]e|eclipse public licen[sc]e|server side public licen[sc]e|business source licen[sc]e|commons clause|attribution-?noncommercial`)

// leftOut returns files that do not apply to linked code, with the reasons.
func leftOut() map[string]string {
	return map[string]string{
		"modernc.org/memory LICENSE-LOGO":         "where a picture comes from, which is not linked",
		"modernc.org/sqlite LICENSE-3RD-PARTY.md": "texts of modules: those that are linked are here by themselves",
		"modernc.org/sqlite LICENSE-SQLITE_VEC":   "of a package that is not linked",
	}
}

// module is a module of the binary.
type module struct {
	path, version string
	licences      []string // SPDX, sorted
	texts         []text
}

// text is a file of a module.
type text struct{ name, content string }

func main() {
	sbom := flag.Bool("sbom", false, "add the licences to the bill of materials in the standard input")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *sbom); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(from io.Reader, to io.Writer, sbom bool) error {
	modules, err := linked()
	if err != nil {
		return err
	}
	var failed []error
	for i := range modules {
		if err := modules[i].judge(); err != nil {
			failed = append(failed, err)
		}
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	if sbom {
		return declare(to, from, modules)
	}
	return write(to, modules)
}

// linked returns the modules of the binary: first the standard library, then the others by path.
func linked() ([]module, error) {
	command := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,Standard,Module", binary)
	command.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages of %s: %w", binary, err)
	}
	byPath := map[string]*module{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read what go list prints: %w", err)
		}
		if p.Module == nil || p.Module.Main {
			continue // the standard library and Vitrine
		}
		m := byPath[p.Module.Path]
		if m == nil {
			m = &module{path: p.Module.Path, version: p.Module.Version}
			byPath[m.path] = m
		}
		if err := m.collect(p.Module.Dir, p.Dir); err != nil {
			return nil, err
		}
	}
	modules := make([]module, 0, len(byPath)+1)
	for _, m := range byPath {
		modules = append(modules, *m)
	}
	slices.SortFunc(modules, func(a, b module) int { return cmp.Compare(a.path, b.path) })
	library := module{path: standardLibrary, version: "of the toolchain"}
	if same := byPath[sameAsGo]; same != nil {
		library.texts = same.texts
	}
	return append([]module{library}, modules...), nil
}

// legal matches names of files with a licence or a notice.
var legal = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice)([-.][a-z0-9._-]*)?$`)

// collect adds the legal files of a package: those of its folder and of all folders above it, up
// to the root of the module.
func (m *module) collect(root, dir string) error {
	for {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return fmt.Errorf("look for licences: %w", err)
		}
		for _, e := range entries {
			if !legal.MatchString(e.Name()) || !e.Type().IsRegular() || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			if err := m.add(root, filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
		if dir == root {
			break
		}
		dir = filepath.Dir(dir)
	}
	slices.SortFunc(m.texts, func(a, b text) int { return cmp.Compare(a.name, b.name) })
	return nil
}

func (m *module) add(root, file string) error {
	name, err := filepath.Rel(root, file)
	if err != nil {
		return err
	}
	name = filepath.ToSlash(name)
	_, out := leftOut()[m.path+" "+name]
	if out || slices.ContainsFunc(m.texts, func(t text) bool { return t.name == name }) {
		return nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	m.texts = append(m.texts, text{name, strings.TrimSpace(strings.ReplaceAll(string(content), "\r\n", "\n"))})
	return nil
}

// judge determines the licences of a module, and fails for a text that is not allowed.
func (m *module) judge() error {
	var failed []error
	for _, t := range m.texts {
		ids, err := recognise(t)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s %s: %s: %w", m.path, m.version, t.name, err))
		}
		m.licences = append(m.licences, ids...)
	}
	slices.Sort(m.licences)
	m.licences = slices.Compact(m.licences)
	if len(m.licences) == 0 && len(failed) == 0 {
		return fmt.Errorf("%s %s: no file has its licence: ask its authors, or do without it", m.path, m.version)
	}
	return errors.Join(failed...)
}

// recognise returns the licences in a file; none for a notice.
func recognise(t text) ([]string, error) {
	plain := strings.Join(strings.Fields(strings.ToLower(t.content)), " ")
	if found := refused.FindString(plain); found != "" {
		return nil, fmt.Errorf("it speaks of a licence that is not allowed (%q): do without the module, or take the matter to a lawyer and mend this list", found)
	}
	var ids []string
	for _, l := range allowed() {
		if l.words.MatchString(plain) {
			ids = append(ids, l.id)
		}
	}
	if slices.Contains(ids, "BSD-3-Clause") { // it contains all words of the shorter one
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == "BSD-2-Clause" })
	}
	if len(ids) == 0 && !strings.HasPrefix(strings.ToUpper(t.name), "NOTICE") {
		return nil, errors.New("this is not the text of a licence that is allowed: do without the module, or add the licence to the list")
	}
	return ids, nil
}
