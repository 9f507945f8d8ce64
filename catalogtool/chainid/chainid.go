// Package chainid converts chains.json of chainid.network, the registry
// ethereum-lists/chains, into chains of a catalogue, with reviewed facts and with figures of
// other upstreams. A report lists everything that is omitted. catalog/chains-import.md
// describes the rules.
//
// It reads no files and no clock. All functions are pure and safe for concurrent use.
package chainid

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"vitrine/internal/connector"
	registry "vitrine/internal/connector/chainid"
	"vitrine/internal/domain"
)

// NameLocale is the locale of the registry's names.
const NameLocale = registry.NameLocale

// record is a record of the registry.
type record = registry.Record

// Options are the inputs of a conversion other than the registry. The keys of all maps except Icons
// are canonical chain ids; see [connector.ParseChainID].
type Options struct {
	Reviews  []Review             // reviewed networks, see [Reviewed]
	Networks map[string]Network   // the operator's networks, which override Reviews
	Names    map[string]NameTexts // names in further locales
	Slugs    map[string]string    // slugs of the previous import, which are kept
	Facts    map[string]Fact      // reviewed categories, which override other sources
	Aliases  map[string]Aliases   // further aliases
	Endings  map[string]Ending    // retired chains, which override the registry

	Launches map[string]Launch // launch dates
	LeaveOut map[string]Unfit  // records to omit

	Descriptions map[string]Description // descriptions
	Addresses    map[string]Addresses   // websites and links that the registry lacks

	Superchain []SuperchainChain // the registry of the Superchain, see [ReadSuperchain]

	Icons   map[string]string // icon name to ipfs:// URL, see [ReadIcons]
	Gateway string            // replaces "ipfs://"; "" for no logos

	TVL       []connector.Row // joined on the chain id
	Platforms []connector.Row // joined on the chain id
}

// NameTexts is a single-line text by locale.
type NameTexts map[string]string

// Result is the result of a conversion.
type Result struct {
	Chains []domain.Chain // by chain id, ascending
	Report Report
}

// Report counts the input and lists what was omitted. All lists are sorted by chain id; losses
// without one come first.
type Report struct {
	Read     int // records of the registry
	Mainnets int // chains
	Testnets int // chains
	Upcoming int // chains of both networks
	Retired  int // chains of both networks

	LeftOut []connector.Loss // omitted records: Read = len(Chains) + len(LeftOut)
	Lost    []connector.Loss // omitted values of chains (alias, logo, name, settlement)
	Unused  []connector.Loss // entries of Options, except Reviews, without a chain, and entries of any input for a chain with another name
	Idle    []connector.Loss // reviews without a chain: most of them if only a part of the registry is converted

	Coverage []Coverage // by dimension, in the order of the taxonomy

	TVL        Join
	Platforms  Join
	Superchain Join
}

// Coverage is the number of chains with a category of a group.
type Coverage struct {
	Group  string // key of the group
	Chains int
}

// Join counts the joined rows of another upstream and lists the others.
type Join struct {
	Joined    int
	NotJoined []connector.Loss
}

// Convert converts chains.json. It returns an error if the document cannot be read to its end or
// if sources contradict each other about a chain. An unusable record is not an error; it is in the
// report. The result does not depend on the order of the records.
func Convert(r io.Reader, opts Options) (Result, error) {
	c := conversion{opts: opts, sources: map[string]map[string]string{}}
	if err := c.read(r); err != nil {
		return Result{}, err
	}
	c.convert()
	if err := c.categorise(); err != nil {
		return Result{}, fmt.Errorf("chainid chains: %w", err)
	}
	c.end()
	c.settle()
	if err := c.citeAll(); err != nil {
		return Result{}, fmt.Errorf("chainid chains: %w", err)
	}
	c.report.TVL = c.join(opts.TVL, func(ch *domain.Chain) **domain.Figure { return &ch.TVL })
	c.report.Platforms = c.join(opts.Platforms, func(ch *domain.Chain) **domain.Figure { return &ch.Platforms })
	c.unused()
	for _, losses := range [][]connector.Loss{c.report.LeftOut, c.report.Lost, c.report.Unused, c.report.Idle, c.report.TVL.NotJoined, c.report.Platforms.NotJoined, c.report.Superchain.NotJoined} {
		slices.SortStableFunc(losses, func(a, b connector.Loss) int { return connector.CompareChainIDs(a.ChainID, b.ChainID) })
	}
	return Result{Chains: c.chains, Report: c.report}, nil
}

// conversion is the state of one call of Convert.
type conversion struct {
	opts     Options
	records  []record // usable ones, sorted by id
	chains   []domain.Chain
	index    map[string]int // chain id to index in chains
	bySlug   map[string]int // slug to index in chains
	networks map[string]Network
	byID     map[string]record
	coins    map[string]bool // see mainnetCoins
	brands   map[string]int
	owners   map[string]string
	sources  map[string]map[string]string // by chain id and field
	report   Report
}

// read collects the records with an id and a usable name, except those that reviews omit.
func (c *conversion) read(r io.Reader) error {
	records, lost, err := registry.Read(r)
	if err != nil {
		return err
	}
	c.report.Read = len(records) + len(lost)
	c.report.LeftOut = lost
	for _, rec := range records {
		if unfit := c.opts.LeaveOut[rec.ID]; unfit.Name == rec.Name {
			c.leaveOut(rec.Lost("by review: " + unfit.Why))
			continue
		}
		c.records = append(c.records, rec)
	}
	return nil
}

// convert makes the chains of the records, without categories, parents and figures.
func (c *conversion) convert() {
	c.index, c.bySlug = map[string]int{}, map[string]int{}
	c.networks = map[string]Network{}
	c.byID = map[string]record{}
	slugs := registry.NewSlugs(c.opts.Slugs)
	networks := networksOf(c.opts)
	c.coins, c.brands, c.owners = c.mainnetCoins(networks), c.mainnetBrands(networks), c.coinOwners()
	for i, rec := range c.records {
		if i > 0 && rec.ID == c.records[i-1].ID {
			c.leaveOut(rec.Lost(fmt.Sprintf("chain id %s is already that of %q", rec.ID, c.records[i-1].Name)))
			continue
		}
		network := networks.networkOf(rec)
		c.networks[rec.ID], c.byID[rec.ID] = network, rec
		slug := slugs.Assign(rec)
		if network == Testnet {
			c.report.Testnets++
		} else {
			c.report.Mainnets++
		}
		c.index[rec.ID], c.bySlug[slug] = len(c.chains), len(c.chains)
		name := c.name(rec)
		ch := domain.Chain{
			Slug:    slug,
			Name:    name,
			ChainID: rec.ID,
			Logo:    c.logo(rec),
			Aliases: c.aliases(rec, slug, name),
		}
		if launch := c.opts.Launches[rec.ID]; launch.Name == rec.Name {
			ch.Launched = launch.Day
			c.cite(rec.ID, "launched", launch.Source)
		}
		if description := c.opts.Descriptions[rec.ID]; description.Name == rec.Name {
			ch.Description = description.Text
			c.cite(rec.ID, "description", description.Source)
		}
		facts, lost := rec.Facts()
		ch.Website, ch.Links, ch.RPC, ch.Currency, ch.Status = facts.Website, facts.Links, facts.RPC, facts.Currency, facts.Status
		c.report.Lost = append(c.report.Lost, lost...)
		c.chains = append(c.chains, ch)
		if addresses := c.opts.Addresses[rec.ID]; addresses.Name == rec.Name {
			c.address(len(c.chains)-1, addresses)
		}
	}
}

// categorise sets the categories of the chains. The error joins the contradictions of all chains.
func (c *conversion) categorise() error {
	classes := classifier{facts: c.opts.Facts, superchain: c.superchain(), records: c.byID, networks: c.networks}
	var errs []error
	for i := range c.chains {
		ch := &c.chains[i]
		keys, lost, err := classes.classify(c.byID[ch.ChainID])
		if err != nil {
			errs = append(errs, err)
			continue
		}
		ch.Categories = keys
		c.report.Lost = append(c.report.Lost, lost...)
	}
	c.report.Coverage = coverage(c.chains)
	return errors.Join(errs...)
}

// superchain returns the rows of the registry of the Superchain whose chain exists, by chain id. Of
// two rows with one id the first counts. It reports the others.
func (c *conversion) superchain() map[string]SuperchainChain {
	j := &c.report.Superchain
	members := map[string]SuperchainChain{}
	for _, row := range c.opts.Superchain {
		refuse := func(reason string) {
			j.NotJoined = append(j.NotJoined, connector.Loss{ChainID: row.ChainID, Name: row.Name, Reason: reason})
		}
		_, twice := members[row.ChainID]
		_, taken := c.index[row.ChainID]
		switch network := c.networks[row.ChainID]; {
		case !taken:
			refuse(c.absent(row.ChainID))
		case twice:
			refuse("an earlier row has the same chain id")
		case network != row.Network:
			refuse(fmt.Sprintf("it is a %s there and a %s here", row.Network, network))
		default:
			members[row.ChainID] = row
			j.Joined++
		}
	}
	return members
}

// coverage counts the chains with a category of each dimension.
func coverage(chains []domain.Chain) []Coverage {
	var out []Coverage
	for _, d := range dimensions {
		n := 0
		for _, ch := range chains {
			if len(d.within(ch.Categories)) > 0 {
				n++
			}
		}
		out = append(out, Coverage{Group: d.group, Chains: n})
	}
	return out
}

func (c *conversion) name(rec record) domain.Text {
	texts := NameTexts{NameLocale: rec.Name}
	for loc, name := range c.opts.Names[rec.ID] {
		if name = registry.Clean(name); name != "" && registry.Printable(name) {
			texts[loc] = name
		}
	}
	return texts.text()
}

// text returns the texts that are not blank, sorted by locale.
func (t NameTexts) text() domain.Text {
	var text domain.Text
	for _, loc := range slices.Sorted(maps.Keys(t)) {
		if value := registry.Clean(t[loc]); value != "" {
			text = append(text, domain.Translation{Locale: loc, Value: value})
		}
	}
	return text
}

// join sets the figures of chains. Of two rows with one id the larger counts; if they are equal, the
// first. Test networks get no figure, since their coins have no value.
func (c *conversion) join(rows []connector.Row, field func(*domain.Chain) **domain.Figure) Join {
	var j Join
	joined := map[string]connector.Row{}
	for _, row := range rows {
		i, ok := c.index[row.ChainID]
		if !ok {
			j.NotJoined = append(j.NotJoined, row.Loss(c.absent(row.ChainID)))
			continue
		}
		if c.networks[row.ChainID] == Testnet {
			j.NotJoined = append(j.NotJoined, row.Loss("the chain is a test network"))
			continue
		}
		other, twice := joined[row.ChainID]
		if twice && other.Figure.Value >= row.Figure.Value {
			row, other = other, row
		}
		if twice {
			j.NotJoined = append(j.NotJoined, other.Loss(connector.Lesser))
		} else {
			j.Joined++
		}
		joined[row.ChainID] = row
		*field(&c.chains[i]) = &row.Figure
	}
	return j
}

// absent returns the reason why no chain has the id.
func (c *conversion) absent(id string) string {
	if id == "" {
		return "no chain id"
	}
	return "the registry has no such chain id"
}

// unused reports options without a chain and options for a chain that has another name, because
// ids are reused.
func (c *conversion) unused() {
	for _, rev := range c.opts.Reviews {
		c.checkThere(&c.report.Idle, rev.ChainID, "review")
		c.checkName(rev.ChainID, rev.Name, "review")
	}
	checkOptions(c, c.opts.Facts, "categories", func(f Fact) string { return f.Name })
	checkOptions(c, c.opts.Aliases, "aliases", func(a Aliases) string { return a.Name })
	checkOptions(c, c.opts.Launches, "launch", func(l Launch) string { return l.Name })
	checkOptions(c, c.opts.Descriptions, "description", func(d Description) string { return d.Name })
	checkOptions(c, c.opts.Addresses, "links", func(a Addresses) string { return a.Name })
	checkOptions(c, c.opts.Endings, "ending", func(e Ending) string { return e.Name })
	for _, id := range slices.Sorted(maps.Keys(c.opts.LeaveOut)) {
		c.checkName(id, c.opts.LeaveOut[id].Name, "leaving out")
	}
	checkOptions(c, c.opts.Networks, "kind", nil)
	checkOptions(c, c.opts.Names, "name", nil)
	checkOptions(c, c.opts.Slugs, "slug of the earlier import", nil)
}

// checkOptions reports the options without a chain and, if they have a reviewed name, those for a
// chain with another one.
func checkOptions[T any](c *conversion, options map[string]T, what string, name func(T) string) {
	for _, id := range slices.Sorted(maps.Keys(options)) {
		c.checkThere(&c.report.Unused, id, what)
		if name != nil {
			c.checkName(id, name(options[id]), what)
		}
	}
}

// checkThere appends an option to list if its chain does not exist.
func (c *conversion) checkThere(list *[]connector.Loss, id, what string) {
	if _, ok := c.index[id]; !ok {
		*list = append(*list, connector.Loss{ChainID: id, Reason: what + ": " + c.absent(id)})
	}
}

// checkName reports an option if its chain has another name than the reviewed one.
func (c *conversion) checkName(id, reviewed, what string) {
	if rec, ok := c.byID[id]; ok && rec.Name != reviewed {
		c.report.Unused = append(c.report.Unused, connector.Loss{ChainID: id, Name: reviewed,
			Reason: fmt.Sprintf("%s: the chain is now called %q; review it again", what, rec.Name)})
	}
}

func (c *conversion) leaveOut(l connector.Loss) { c.report.LeftOut = append(c.report.LeftOut, l) }
func (c *conversion) lose(l connector.Loss)     { c.report.Lost = append(c.report.Lost, l) }
