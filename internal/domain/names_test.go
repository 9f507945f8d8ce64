package domain_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

func namesOf(kind domain.Kind, record any) []string {
	var names []string
	for n := range domain.Describe(kind).NamesOf(record) {
		derived := ""
		if n.Derived {
			derived = " derived"
		}
		names = append(names, fmt.Sprintf("%d %s %s.%d%s", n.Class, n.Value, n.Field, n.Index, derived))
	}
	return names
}

func TestNamesOf(t *testing.T) {
	base := domain.Chain{Slug: "base", ChainID: "8453", ID: "b", Former: []string{"base-mainnet", "", "basechain"}}
	celo := domain.Chain{Slug: "celo", ChainID: "0xA4EC"}
	cases := []struct {
		name   string
		kind   domain.Kind
		record any
		want   []string
	}{
		{"a chain", domain.KindChain, &base, []string{
			"0 base slug.0", "2 8453 chain_id.0", "1 b id.0", "3 base-mainnet former.0", "3 basechain former.2",
			"2 0x2105 chain_id.0 derived", "2 eip155:8453 chain_id.0 derived",
		}},
		{"a chain without an id", domain.KindChain, &celo, []string{
			"0 celo slug.0", "2 0xA4EC chain_id.0",
			"2 42220 chain_id.0 derived", "2 0xa4ec chain_id.0 derived", "2 eip155:42220 chain_id.0 derived", "1 31deb0b2a33978173ae11cef slug.0 derived",
		}},
		{"a CAIP-2 id", domain.KindChain, &domain.Chain{Slug: "x", ID: "x", ChainID: "cosmos:cosmoshub-4"}, []string{
			"0 x slug.0", "2 cosmos:cosmoshub-4 chain_id.0", "1 x id.0",
		}},
		{"a number with leading zeros", domain.KindChain, &domain.Chain{Slug: "x", ID: "x", ChainID: "0888"}, []string{
			"0 x slug.0", "2 0888 chain_id.0", "1 x id.0", "2 888 chain_id.0 derived", "2 0x378 chain_id.0 derived", "2 eip155:888 chain_id.0 derived",
		}},
		{"an empty chain", domain.KindChain, &domain.Chain{}, []string{"1 " + (domain.Chain{}).StableID() + " slug.0 derived"}},
		{"an app", domain.KindApp, &domain.App{Key: "a", Former: []string{"b"}}, []string{"0 a key.0", "3 b former.0"}},
		{"an account", domain.KindAccount, &domain.Account{Handle: "VitalikButerin"}, []string{"0 VitalikButerin handle.0"}},
		{"a channel", domain.KindChannel, &domain.Channel{ChannelID: "UCx"}, []string{"0 UCx channel_id.0"}},
		{"a nav group", domain.KindNavGroup, &domain.NavGroup{Key: "k", Slug: "s", Former: []string{"o"}}, []string{"0 s slug.0", "3 o former.0"}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, namesOf(tc.kind, tc.record)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestChainIDSpellings(t *testing.T) {
	cases := []struct {
		id   string
		want []string
	}{
		{"", nil},
		{"1", []string{"1", "0x1", "eip155:1"}},
		{"0", []string{"0", "0x0", "eip155:0"}},
		{"007", []string{"007", "7", "0x7", "eip155:7"}},
		{"0888", []string{"0888", "888", "0x378", "eip155:888"}},
		{"000", []string{"000", "0", "0x0", "eip155:0"}},
		{"eip155:0888", []string{"eip155:0888", "888", "0x378", "eip155:888"}},
		{"0x0378", []string{"0x0378", "888", "0x378", "eip155:888"}},
		{"0x2105", []string{"0x2105", "8453", "eip155:8453"}},
		{"0X2105", []string{"0X2105", "8453", "0x2105", "eip155:8453"}},
		{"eip155:8453", []string{"eip155:8453", "8453", "0x2105"}},
		{"340282366920938463463374607431768211456", []string{
			"340282366920938463463374607431768211456", "0x100000000000000000000000000000000", "eip155:340282366920938463463374607431768211456",
		}},
		{"cosmoshub-4", []string{"cosmoshub-4"}},
		{"solana:5eykt", []string{"solana:5eykt", "5eykt"}},
		{"eip155:x", []string{"eip155:x", "x"}},
		{"0x", []string{"0x"}}, {"0x_1", []string{"0x_1"}}, {"0x-1", []string{"0x-1"}}, {"-1", []string{"-1"}}, {"eip155:", []string{"eip155:"}},
	}
	for _, tc := range cases {
		if diff := cmp.Diff(tc.want, domain.ChainIDSpellings(tc.id)); diff != "" {
			t.Errorf("%q:\n%s", tc.id, diff)
		}
	}
}

// TestCheckFindsNameCollisions checks that names of another record are errors at the name that is
// easier to change, in any order of the records.
func TestCheckFindsNameCollisions(t *testing.T) {
	ethereum := domain.Chain{Slug: "ethereum", Name: en("Ethereum"), ChainID: "1", Former: []string{"eth-mainnet"}}
	base := domain.Chain{Slug: "base", Name: en("Base"), ChainID: "8453"}
	cases := []struct {
		name  string
		chain domain.Chain
		want  string
	}{
		{"a slug that is a chain id", domain.Chain{Slug: "1"},
			`slug duplicate: slug "1" is already the chain_id of chain "ethereum"; give one of them another slug`},
		{"a slug that is a chain id in hexadecimal", domain.Chain{Slug: "0x2105"},
			`slug duplicate: slug "0x2105" is already a spelling of the chain_id of chain "base"; give one of them another slug`},
		{"an id that is a chain id", domain.Chain{Slug: "x", ID: "8453"},
			`id duplicate: id "8453" is already the chain_id of chain "base"; give one of them another id`},
		{"an id that is a CAIP-2 id", domain.Chain{Slug: "x", ID: "EIP155:8453"},
			`id duplicate: id "EIP155:8453" is already a spelling of the chain_id of chain "base"; give one of them another id`},
		{"a slug that is a derived id", domain.Chain{Slug: base.StableID()},
			`slug duplicate: slug "` + base.StableID() + `" is already the derived id of chain "base"; give one of them another slug`},
		{"an id that is a slug", domain.Chain{Slug: "x", ID: "Ethereum"},
			`id duplicate: id "Ethereum" is already the slug of chain "ethereum"; give one of them another id`},
		{"a former slug that is a chain id", domain.Chain{Slug: "x", Former: []string{"1"}},
			`former.0 duplicate: former "1" is already the chain_id of chain "ethereum"; remove it here: current names take precedence over former ones`},
		{"a former slug of two", domain.Chain{Slug: "x", Former: []string{"eth-mainnet"}},
			`former.0 duplicate: former "eth-mainnet" is already that of chain "ethereum"; keep it in one place`},
		{"a chain id of a family without numbers", domain.Chain{Slug: "x", ChainID: "eth-mainnet"}, ""}, // at the former key of ethereum
		{"the same chain id in hexadecimal", domain.Chain{Slug: "x", ChainID: "0x2105"},
			`chain_id duplicate-chain-id: chain_id "0x2105" is another spelling of "8453", the chain_id of chain "base"; remove one of the chains, or correct the chain_id`},
		{"the same chain id with leading zeros", domain.Chain{Slug: "x", ChainID: "08453"},
			`chain_id duplicate-chain-id: chain_id "08453" is another spelling of "8453", the chain_id of chain "base"; remove one of the chains, or correct the chain_id`},
		{"the same chain id as CAIP-2", domain.Chain{Slug: "x", ChainID: "eip155:8453"},
			`chain_id duplicate-chain-id: chain_id "eip155:8453" is another spelling of "8453", the chain_id of chain "base"; remove one of the chains, or correct the chain_id`},
		{"the same chain id as it is", domain.Chain{Slug: "x", ChainID: "8453"},
			`chain_id duplicate-chain-id: chain_id "8453" is also that of chain "base"; correct it, or accept the warning if both networks use this id`},
		{"a slug that is a chain id with leading zeros", domain.Chain{Slug: "0x02105"},
			`slug duplicate: slug "0x02105" is already a spelling of the chain_id of chain "base"; give one of them another slug`},
		{"names of its own twice", domain.Chain{Slug: "77", ChainID: "77", ID: "77", Former: []string{"0x4d", "x"}}, ""},
		{"the reference of a CAIP-2 id", domain.Chain{Slug: "x", ChainID: "cosmos:base"}, ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if tc.chain.ChainID == "" {
				tc.chain.ChainID = "66666667"
			}
			tc.chain.Name = en("X")
			if tc.want == "" {
				if tc.chain.ChainID == "eth-mainnet" {
					tc.want = `chains[0].former.0 duplicate: former "eth-mainnet" is already the chain_id of chain "x"; remove it here: current names take precedence over former ones`
				}
			} else {
				tc.want = "chains[2]." + tc.want
			}
			c := rich()
			c.Chains = []domain.Chain{ethereum, base, tc.chain}
			var want []string
			if tc.want != "" {
				want = []string{tc.want}
			}
			if diff := cmp.Diff(want, lines(collisions(c))); diff != "" {
				t.Error(diff)
			}
			c.Chains = []domain.Chain{tc.chain, ethereum, base}
			if got := collisions(c); len(got) != len(want) {
				t.Errorf("before the others: %q", lines(got))
			}
			for _, p := range domain.CheckAgain(nil, c) {
				if p.Rule == domain.RuleDuplicate && tc.name != "a former slug of two" {
					t.Errorf("a catalogue that was published before is not read any more: %v", p)
				}
			}
		})
	}
}

func collisions(c *domain.Catalog) []domain.Problem {
	return slices.DeleteFunc(domain.Check(c, domain.Reading{}).Problems, func(p domain.Problem) bool {
		return p.Rule != domain.RuleDuplicate && p.Rule != domain.RuleDuplicateChainID
	})
}

// TestCheckFindsAllNameCollisions compares the reported collisions of names and chain ids with a
// comparison of all pairs of records.
func TestCheckFindsAllNameCollisions(t *testing.T) {
	words := rapid.SampledFrom([]string{"a", "b", "c", "1", "2", "01", "0x1", "0x2", "16", "0x10", "aa", domain.Chain{Slug: "a"}.StableID()})
	ids := rapid.SampledFrom([]string{"", "", "A", "a", "b", "eip155:1", "0X2", "cosmos:c", domain.Chain{Slug: "b"}.StableID()})
	chainIDs := rapid.SampledFrom([]string{"1", "2", "0x1", "16", "01", "002", "a", "eip155:1", "eip155:2", "cosmos:c", "c", "77", "78"})
	d := domain.Describe(domain.KindChain)
	rapid.Check(t, func(t *rapid.T) {
		c := rich()
		c.Chains = nil
		for range rapid.IntRange(1, 4).Draw(t, "chains") {
			former := rapid.SliceOfNDistinct(words, 0, 2, rapid.ID[string]).Draw(t, "former")
			c.Chains = append(c.Chains, domain.Chain{
				Slug: words.Draw(t, "slug"), Name: en("X"), ID: ids.Draw(t, "id"), ChainID: chainIDs.Draw(t, "chain id"), Former: former,
			})
		}
		want := map[domain.Rule]bool{}
		for i := range c.Chains {
			for j := range i {
				inCommon(d, &c.Chains[i], &c.Chains[j], want)
			}
			if slices.Contains(c.Chains[i].Former, c.Chains[i].Slug) {
				want[domain.RuleDuplicate] = true
			}
		}
		got := map[domain.Rule]bool{}
		for _, p := range collisions(c) {
			got[p.Rule] = true
		}
		if want[domain.RuleDuplicate] { // records with the same slug have no warning about their chain ids
			delete(got, domain.RuleDuplicateChainID)
			delete(want, domain.RuleDuplicateChainID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%v\n%q\n%s", c.Chains, lines(collisions(c)), diff)
		}
	})
}

// sameChainID reports whether one of two names is a chain id and the other spells it.
func sameChainID(n, m domain.Name) bool {
	a, number := domain.ChainIDName(n.Value)
	b, _ := domain.ChainIDName(m.Value)
	if n.Class == domain.NameChainID && m.Class == domain.NameChainID {
		return domain.ChainIDKey(n.Value) == domain.ChainIDKey(m.Value)
	}
	return number && a == b && (n.Class == domain.NameChainID || m.Class == domain.NameChainID)
}

// inCommon adds the rules that two records break by a name in common.
func inCommon(d *domain.Description, a, b any, rules map[domain.Rule]bool) {
	for n := range d.NamesOf(a) {
		for m := range d.NamesOf(b) {
			switch {
			case d.NameForm(n.Value) != d.NameForm(m.Value) && !sameChainID(n, m):
			case n.Class == domain.NameChainID && m.Class == domain.NameChainID:
				rules[domain.RuleDuplicateChainID] = true
			default:
				rules[domain.RuleDuplicate] = true
			}
		}
	}
}
