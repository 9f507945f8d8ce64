// Command registry converts chains.json of chainid.network to a catalogue, publishes it in a new
// store, exports it and converts it back. It fails if a chain differs in any member of any object
// or any digit of any number. Data without a field goes to `extra`, whose members must keep their
// order.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vitrine/test/internal/trial"
)

func main() {
	binary := flag.String("vitrine", "", "the binary, an absolute path")
	flag.Parse()
	trial.Main("registry", func(dir string) bool {
		source := trial.Must(os.ReadFile(flag.Arg(0)))
		var chains []object
		trial.Check(json.Unmarshal(source, &chains), flag.Arg(0))
		records := newRegistry(chains).records(chains)
		exported, took := throughStore(*binary, dir, records)
		fmt.Printf("     published and exported in %v\n", took.Round(time.Millisecond))
		well := compare(chains, records, exported)
		fmt.Printf("%s registry: %d chains there and back\n", trial.Verdict(well), len(chains))
		return well
	})
}

// throughStore publishes records in a new store, and returns the exported ones.
func throughStore(binary, dir string, records []object) ([]object, time.Duration) {
	catalogue, store, out := filepath.Join(dir, "catalogue"), "sqlite:"+filepath.Join(dir, "registry.db"), filepath.Join(dir, "export")
	trial.Check(os.Mkdir(catalogue, 0o755))
	trial.Check(os.WriteFile(filepath.Join(catalogue, "catalog.yaml"), []byte("{title: Registry, default_locale: en, locales: [en]}\n"), 0o644))
	var lines bytes.Buffer
	for _, rec := range records {
		lines.Write(rec.encode())
		lines.WriteByte('\n')
	}
	trial.Check(os.WriteFile(filepath.Join(catalogue, "chains.ndjson"), lines.Bytes(), 0o644))
	start := time.Now()
	trial.Must(trial.Command(binary, "import", catalogue, "--store", store))
	trial.Must(trial.Command(binary, "export", out, "--store", store))
	took := time.Since(start)
	var exported []object
	for decoder := json.NewDecoder(bytes.NewReader(trial.Must(os.ReadFile(filepath.Join(out, "chains.ndjson"))))); decoder.More(); {
		var rec object
		trial.Check(decoder.Decode(&rec), "the export")
		exported = append(exported, rec)
	}
	return exported, took
}

// compare prints the differences of the chains, and reports whether there are none.
func compare(chains, records, exported []object) (well bool) {
	if len(exported) != len(chains) {
		fmt.Printf("     %d chains went in and %d came out\n", len(chains), len(exported))
		return false
	}
	slugs := map[string]object{}
	for _, rec := range exported {
		slugs[rec.text("slug")] = rec
	}
	members, inExtra, numbers, lost := 0, 0, 0, 0
	for i, chain := range chains {
		slug := records[i].text("slug")
		back := slugs[slug]
		members, numbers = members+len(chain), numbers+chain.numbers()
		inExtra += len(records[i].part("extra"))
		wrong := difference(chain, back.chain(slugs))
		if wrong == "" && !bytes.Equal(records[i].part("extra").encode(), back.part("extra").encode()) {
			wrong = "the members of extra have another order"
		}
		if wrong != "" {
			lost++
			fmt.Printf("     chain %s: %s\n", chain.get("chainId"), wrong)
		}
	}
	fmt.Printf("     %d members of %d chains, %d of them wholly or in part in extra; %d numbers, digit by digit; %d chains differ\n",
		members, len(chains), inExtra, numbers, lost)
	return lost == 0
}
