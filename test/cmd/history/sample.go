package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
)

// changing returns the numbers of the merges that change a record of the catalogue.
func changing(merges []merge) []int {
	c := newCatalogue(merges)
	var all []int
	before := c.encode()
	for i, m := range merges {
		c.apply(m)
		if after := c.encode(); !bytes.Equal(before, after) {
			all, before = append(all, i), after
		}
	}
	return all
}

// sample returns n of the numbers, in their order.
func sample(numbers []int, n int, seed uint64) []int {
	chosen := slices.Clone(numbers)
	random := rand.New(rand.NewPCG(seed, seed))
	random.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	chosen = chosen[:min(n, len(chosen))]
	slices.Sort(chosen)
	return chosen
}

// printChanges prints what a merge changes of each record, one line for each value.
func printChanges(number int, m merge) {
	fmt.Printf("== %d %s %s\n", number, m.Commit, m.Date)
	for _, change := range m.Changes {
		before, after := valuesOf(change.Path, change.Before), valuesOf(change.Path, change.After)
		if len(before) == 0 || len(after) == 0 {
			fmt.Printf("  %s: %s\n", change.Path, map[bool]string{true: "added", false: "removed"}[len(before) == 0])
		} else if !reflect.DeepEqual(before, after) {
			fmt.Printf("  %s:\n", change.Path)
		}
		for _, v := range before {
			if !slices.Contains(after, v) {
				fmt.Println("    -", v)
			}
		}
		for _, v := range after {
			if !slices.Contains(before, v) {
				fmt.Println("    +", v)
			}
		}
	}
}

// valuesOf returns the values of a record, one line each.
func valuesOf(path string, s *source) []string {
	if s == nil {
		return nil
	}
	r := convert(path, s, nil)
	lines := []string{"name " + r.Name, "chain_id " + r.ChainID, "categories " + strings.Join(r.Categories, " "), "status " + r.Status,
		"website " + r.Website, "logo " + r.Logo, "description " + r.Description}
	for _, e := range r.RPC {
		lines = append(lines, "rpc "+e.URL)
	}
	for _, l := range r.Links {
		lines = append(lines, strings.Join([]string{"link", l.Type, l.Name, l.URL}, " "))
	}
	for _, name := range []string{"bech32_prefix", "version", "slip44", "fees"} {
		if v := r.Extra[name]; v != nil {
			lines = append(lines, fmt.Sprintf("extra.%s %s", name, v))
		}
	}
	return lines
}
