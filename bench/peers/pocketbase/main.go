// Command pocketbase serves a list of chains with PocketBase, for bench/run.
//
//	pocketbase DIR ADDR CHAINS
//
// DIR is where it keeps its database and must be empty, CHAINS a JSON file:
// {"chains":[{...}]}. It is set up to be quick: an index over the order that is
// asked for, and no log of requests.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

// chain is a chain as the file has it. TVL is -1 where none is known, so that
// those come last.
type chain struct {
	Key        string   `json:"key"`
	Slug       string   `json:"slug"`
	Name       string   `json:"name"`
	Logo       string   `json:"logo"`
	ChainID    string   `json:"chain_id"`
	Categories []string `json:"categorySlugs"`
	TVL        float64  `json:"llama_tvl"`
	Tie        float64  `json:"tie"` // the order of chains with the same TVL, or without one
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: pocketbase DIR ADDR CHAINS")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "pocketbase:", err)
		os.Exit(1)
	}
}

func run(dir, addr, file string) error {
	chains, err := read(file)
	if err != nil {
		return err
	}
	app := pocketbase.NewWithConfig(pocketbase.Config{DefaultDataDir: dir, HideStartBanner: true})
	if err := app.Bootstrap(); err != nil {
		return err
	}
	if err := app.RunAllMigrations(); err != nil {
		return err
	}
	app.Settings().Logs.MaxDays = 0
	if err := fill(app, chains); err != nil {
		return err
	}
	return apis.Serve(app, apis.ServeConfig{HttpAddr: addr})
}

func read(file string) ([]chain, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list struct {
		Chains []chain `json:"chains"`
	}
	return list.Chains, json.Unmarshal(data, &list)
}

func fill(app core.App, chains []chain) error {
	c := core.NewBaseCollection("chains")
	c.ListRule = types.Pointer("")
	c.Fields.Add(
		&core.TextField{Name: "key"},
		&core.TextField{Name: "slug"},
		&core.TextField{Name: "name", Max: 1000},
		&core.TextField{Name: "logo", Max: 10_000},
		&core.TextField{Name: "chain_id"},
		&core.JSONField{Name: "categorySlugs"},
		&core.NumberField{Name: "llama_tvl"},
		&core.NumberField{Name: "tie"},
	)
	c.AddIndex("chains_by_tvl", false, "llama_tvl DESC, tie", "")
	if err := app.Save(c); err != nil {
		return err
	}
	return app.RunInTransaction(func(tx core.App) error {
		for _, from := range chains {
			r := core.NewRecord(c)
			r.Load(map[string]any{
				"key": from.Key, "slug": from.Slug, "name": from.Name, "logo": from.Logo, "chain_id": from.ChainID,
				"categorySlugs": from.Categories, "llama_tvl": from.TVL, "tie": from.Tie,
			})
			if err := tx.Save(r); err != nil {
				return err
			}
		}
		return nil
	})
}
