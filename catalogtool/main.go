// Command tool converts chains.json of chainid.network into chains of the bundled catalogue, by the rules of
// catalog/chains-import.md. It converts recordings in files and makes no network requests.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"vitrine/catalogtool/chainid"
	"vitrine/internal/bundle"
	"vitrine/internal/connector"
	"vitrine/internal/convert"
	"vitrine/internal/domain"
)

type command struct {
	File string `arg:"" help:"chains.json of chainid.network."`

	Icons        string `help:"chainid_icons.json, for logos." placeholder:"FILE"`
	IPFSGateway  string `name:"ipfs-gateway" default:"https://ipfs.io/ipfs/" help:"Gateway that replaces ipfs:// in logos." placeholder:"URL"`
	TVL          string `name:"tvl" help:"A recording of DefiLlama's /v2/chains." placeholder:"FILE"`
	TVLAsOf      string `name:"tvl-as-of" help:"Date of that recording, such as 2025-08-17." placeholder:"DATE"`
	Platforms    string `help:"Counts of apps with chain_id, platforms, source and as_of; or DefiLlama's .csv by name." placeholder:"FILE"`
	LlamaNames   string `help:"Reviewed decisions on DefiLlama's names, with chain ids." placeholder:"FILE"`
	Names        string `help:"Names in further locales, by chain id." placeholder:"FILE"`
	Aliases      string `help:"Further aliases, by chain id." placeholder:"FILE"`
	Categories   string `help:"Reviewed categories with their reasons, by chain id." placeholder:"FILE"`
	Endings      string `help:"Retired chains with dates, notes and sources, by chain id." placeholder:"FILE"`
	Launched     string `help:"Launch dates with their sources, by chain id." placeholder:"FILE"`
	Descriptions string `help:"Descriptions in any locales, by chain id." placeholder:"FILE"`
	Links        string `help:"Websites and explorers that the registry lacks, with their sources, by chain id." placeholder:"FILE"`
	LeaveOut     string `help:"Records to omit, with their reasons, by chain id." placeholder:"FILE"`
	Superchain   string `help:"The chains of ethereum-optimism/superchain-registry, as one array." placeholder:"FILE"`
	Kinds        string `help:"Kinds (mainnet or testnet) by chain id, which override rule and reviews." placeholder:"FILE"`
	NoReviews    bool   `help:"Apply only the rule for test networks, without the built-in reviews."`
	KeepSlugs    string `help:"Chains of the previous import (.ndjson), whose slugs are kept." placeholder:"FILE"`
	Verbose      bool   `help:"Name every review without a chain instead of counting them."`
	Out          string `default:"-" help:"Output file (.ndjson); - is standard output." placeholder:"FILE"`

	convert.Guard
}

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "tool: error:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	var c command
	parser, err := kong.New(&c, kong.Name("tool"), kong.Description("Converts chains.json of chainid.network into chains of a catalogue."))
	if err != nil {
		return err
	}
	if _, err := parser.Parse(args); err != nil {
		return err
	}
	return c.convert(stdout, stderr)
}

// convert writes the chains to the output file or stdout, and the report to stderr.
func (c *command) convert(stdout, stderr io.Writer) error {
	opts, lost, err := c.options()
	if err != nil {
		return err
	}
	result, err := convert.ReadFile(c.File, func(r io.Reader) (chainid.Result, error) { return chainid.Convert(r, opts) })
	if err != nil {
		return err
	}
	report := result.Report
	report.TVL.NotJoined = append(lost.tvl, report.TVL.NotJoined...)
	report.Platforms.NotJoined = append(lost.platforms, report.Platforms.NotJoined...)
	report.Superchain.NotJoined = append(lost.superchain, report.Superchain.NotJoined...)
	err = cmp.Or(c.checkChains(result.Chains, opts.Slugs), c.checkFigures(result.Chains, opts))
	if err == nil {
		err = c.write(stdout, result.Chains)
	}
	return errors.Join(printReport(stderr, report, c.Verbose), err)
}

func (c *command) write(stdout io.Writer, chains []domain.Chain) error {
	var doc bytes.Buffer
	if err := bundle.WriteRecords(&doc, domain.Describe(domain.KindChain), &domain.Catalog{Chains: chains}); err != nil {
		return err
	}
	if c.Out != "-" {
		return convert.WriteFile(c.Out, doc.Bytes())
	}
	_, err := stdout.Write(doc.Bytes())
	return err
}

// checkChains returns an error for a result that suggests a wrong or broken file. Writing it would
// remove chains from a catalogue.
func (c *command) checkChains(chains []domain.Chain, earlier map[string]string) error {
	if c.Shrink {
		return nil
	}
	if len(chains) == 0 {
		return errors.New("no record was taken, so nothing was written; check that this is chains.json, or pass --shrink to write anyway")
	}
	remain := 0
	for _, ch := range chains {
		if _, ok := earlier[ch.ChainID]; ok {
			remain++
		}
	}
	if 2*remain < len(earlier) {
		return fmt.Errorf("only %d of the %d chains of --keep-slugs remain, so nothing was written; check that the file is complete, or pass --shrink to write anyway",
			remain, len(earlier))
	}
	return nil
}

// checkFigures returns an error for figures that suggest a broken or outdated recording.
func (c *command) checkFigures(chains []domain.Chain, opts chainid.Options) error {
	if err := cmp.Or(c.Empty(c.TVL, len(opts.TVL)), c.Empty(c.Platforms, len(opts.Platforms)), c.Empty(c.Superchain, len(opts.Superchain))); err != nil {
		return err
	}
	existing, err := c.existingFigures()
	if err != nil {
		return err
	}
	tvl, platforms := existing[domain.FigureTVL], existing[domain.FigurePlatforms]
	for _, ch := range chains {
		if ch.TVL != nil {
			tvl.After++
		}
		if ch.Platforms != nil {
			platforms.After++
		}
	}
	return cmp.Or(c.Replace(domain.FigureTVL, tvl, convert.Newest(opts.TVL)), c.Replace(domain.FigurePlatforms, platforms, convert.Newest(opts.Platforms)))
}

// existingFigures returns the figures that the result would replace: those of the previous import or, without
// one, of the output file. There are none if that file does not exist or is not from a conversion.
func (c *command) existingFigures() (map[domain.FigureName]bundle.Replaced, error) {
	if c.KeepSlugs != "" {
		return convert.ReadFile(c.KeepSlugs, datedFigures)
	}
	if c.Out == "-" {
		return nil, nil
	}
	existing, err := convert.ReadFile(c.Out, datedFigures)
	if err != nil {
		return nil, nil
	}
	return existing, nil
}

// datedFigures reads the dated figures that an earlier conversion wrote. It returns their number and
// newest date by name.
func datedFigures(r io.Reader) (map[domain.FigureName]bundle.Replaced, error) {
	type figure struct {
		AsOf domain.Date `json:"as_of"`
	}
	existing := map[domain.FigureName]bundle.Replaced{}
	take := func(_ int, record struct {
		TVL       *figure `json:"llama_tvl"`
		Platforms *figure `json:"platforms"`
	}) {
		for name, f := range map[domain.FigureName]*figure{domain.FigureTVL: record.TVL, domain.FigurePlatforms: record.Platforms} {
			if f != nil {
				was := existing[name]
				was.Before++
				was.Newest = max(was.Newest, f.AsOf)
				existing[name] = was
			}
		}
	}
	err := connector.Array(r, take, func(int, error) {}) // a bare number is an editor's, not from a recording
	return existing, err
}

// rowLosses are the unreadable rows of other upstreams.
type rowLosses struct {
	tvl, platforms, superchain []connector.Loss
}

// options reads the files that the flags name.
func (c *command) options() (opts chainid.Options, lost rowLosses, err error) {
	if (c.TVL == "") != (c.TVLAsOf == "") {
		return opts, lost, errors.New("--tvl and --tvl-as-of go together: a figure has a date")
	}
	if err := convert.CheckDate("--tvl-as-of", c.TVLAsOf); err != nil {
		return opts, lost, err
	}
	if !c.NoReviews {
		if opts.Reviews, err = chainid.Reviewed(); err != nil {
			return opts, lost, err
		}
	}
	figures, err := convert.Recordings{TVL: c.TVL, AsOf: c.TVLAsOf, Platforms: c.Platforms, Names: c.LlamaNames}.Read()
	if err != nil {
		return opts, lost, err
	}
	lost.tvl, lost.platforms = figures.LostTVL, figures.LostPlatforms
	opts.Gateway, opts.TVL, opts.Platforms = c.IPFSGateway, figures.TVL, figures.Platforms
	err = cmp.Or(
		convert.ReadInto(&opts.Icons, c.Icons, chainid.ReadIcons),
		convert.ReadInto(&opts.Names, c.Names, chainid.ReadNames),
		convert.ReadInto(&opts.Aliases, c.Aliases, chainid.ReadAliases),
		convert.ReadInto(&opts.Facts, c.Categories, chainid.ReadFacts),
		convert.ReadInto(&opts.Endings, c.Endings, chainid.ReadEndings),
		convert.ReadInto(&opts.Launches, c.Launched, chainid.ReadLaunches),
		convert.ReadInto(&opts.Descriptions, c.Descriptions, chainid.ReadDescriptions),
		convert.ReadInto(&opts.Addresses, c.Links, chainid.ReadAddresses),
		convert.ReadInto(&opts.LeaveOut, c.LeaveOut, chainid.ReadLeaveOut),
		convert.ReadInto(&opts.Superchain, c.Superchain, func(r io.Reader) (rows []chainid.SuperchainChain, err error) {
			rows, lost.superchain, err = chainid.ReadSuperchain(r)
			return rows, err
		}),
		convert.ReadInto(&opts.Networks, c.Kinds, chainid.ReadNetworks),
		convert.ReadInto(&opts.Slugs, c.KeepSlugs, chainid.ReadSlugs),
	)
	return opts, lost, err
}

// printReport prints the report, the sums last. It counts reviews without a chain; with verbose it
// names them.
func printReport(w io.Writer, rep chainid.Report, verbose bool) error {
	b := bufio.NewWriter(w)
	idle := rep.Idle
	if !verbose {
		idle = nil
	}
	for _, part := range []struct {
		what   string
		losses []connector.Loss
	}{
		{"left out", rep.LeftOut},
		{"lost", rep.Lost},
		{"not used", idle},
		{"not used", rep.Unused},
		{"llama_tvl not joined", rep.TVL.NotJoined},
		{"platforms not joined", rep.Platforms.NotJoined},
		{"superchain not joined", rep.Superchain.NotJoined},
	} {
		convert.PrintLosses(b, part.what, part.losses)
	}
	if len(idle) < len(rep.Idle) {
		fmt.Fprintf(b, "not used: %d reviews of chains that are not taken (--verbose names them)\n", len(rep.Idle))
	}
	fmt.Fprintf(b, "%d records read: %d taken (%d mainnets, %d testnets; %d upcoming, %d retired), %d left out\n",
		rep.Read, rep.Mainnets+rep.Testnets, rep.Mainnets, rep.Testnets, rep.Upcoming, rep.Retired, len(rep.LeftOut))
	fmt.Fprintf(b, "llama_tvl: %d rows joined, %d not; platforms: %d joined, %d not; superchain: %d joined, %d not\n",
		rep.TVL.Joined, len(rep.TVL.NotJoined), rep.Platforms.Joined, len(rep.Platforms.NotJoined),
		rep.Superchain.Joined, len(rep.Superchain.NotJoined))
	b.WriteString("chains with a category of")
	for i, c := range rep.Coverage {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, " %s: %d", c.Group, c.Chains)
	}
	b.WriteByte('\n')
	return b.Flush()
}
