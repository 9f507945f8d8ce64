package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestListIsOfTheBinary checks that THIRD_PARTY.md has the linked modules, and that every licence
// is allowed.
func TestListIsOfTheBinary(t *testing.T) {
	var want bytes.Buffer
	if err := run(nil, &want, false); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../THIRD_PARTY.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(want.String(), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("THIRD_PARTY.md is outdated: run make licences, and review the difference (-want +got):\n%s", diff)
	}
}

func TestRecognise(t *testing.T) {
	const (
		mit   = "Permission is hereby granted, free of charge, to any person\nobtaining a copy of this software and …"
		short = "Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met: …"
		long  = short + "\nNeither the name of Go nor the names of its\ncontributors may be used to endorse or promote products derived from …"
	)
	for _, tt := range []struct {
		name, file, content string
		want                []string
		refused             bool
	}{
		{"words over lines", "LICENSE", mit, []string{"MIT"}, false},
		{"two clauses", "LICENSE", short, []string{"BSD-2-Clause"}, false},
		{"three clauses", "LICENSE", long, []string{"BSD-3-Clause"}, false},
		{"several licences", "LICENSE", long + mit, []string{"BSD-3-Clause", "MIT"}, false},
		{"a notice needs none", "NOTICE", "Copyright 2026", nil, false},
		{"text that is no licence", "LICENSE", "All rights reserved.", nil, true},
		{"an empty file", "LICENSE", "", nil, true},
		{"a licence that asks for more", "COPYING", "GNU GENERAL PUBLIC LICENSE\nVersion 3", nil, true},
		{"one beside another", "LICENSE", mit + "or the Mozilla Public\nLicense", nil, true},
		{"one in a notice", "NOTICE", "Under the GNU Lesser General Public License", nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := recognise(text{tt.file, tt.content})
			if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != tt.refused {
				t.Errorf("error %v, licences (-want +got):\n%s", err, diff)
			}
		})
	}
}

// TestModuleWithoutALicence checks that a module without a licence is rejected.
func TestModuleWithoutALicence(t *testing.T) {
	for name, m := range map[string]module{
		"no file":  {path: "example.org/m"},
		"a notice": {path: "example.org/m", texts: []text{{"NOTICE", "Copyright 2026"}}},
	} {
		if err := m.judge(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestDeclare(t *testing.T) {
	modules := []module{
		{path: standardLibrary, licences: []string{"BSD-3-Clause"}},
		{path: "example.org/m", licences: []string{"Apache-2.0", "MIT"}},
	}
	const binary = `{"metadata":{"component":{"name":"vitrine"}},"components":[`
	for _, tt := range []struct{ name, bom, want string }{
		{
			"all have licences", binary + `{"name":"example.org/m"},{"name":"std"}]}`,
			`{"components":[{"licenses":[{"license":{"id":"Apache-2.0"}},{"license":{"id":"MIT"}}],"name":"example.org/m"},` +
				`{"licenses":[{"license":{"id":"BSD-3-Clause"}}],"name":"std"}],` +
				`"metadata":{"component":{"licenses":[{"license":{"id":"Apache-2.0"}}],"name":"vitrine"}}}`,
		},
		{"an unknown component", binary + `{"name":"example.org/other"}]}`, ""},
		{"no components", binary + `]}`, ""},
		{"no document", ``, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got, compact bytes.Buffer
			err := declare(&got, strings.NewReader(tt.bom), modules)
			if tt.want == "" {
				if err == nil {
					t.Errorf("no error, but %s", got.String())
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Compact(&compact, got.Bytes()); err != nil || compact.String() != tt.want {
				t.Errorf("error %v, got\n%s\nwant\n%s", err, compact.String(), tt.want)
			}
		})
	}
}
