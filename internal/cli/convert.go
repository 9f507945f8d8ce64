package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"vitrine/internal/atomicfile"
	"vitrine/internal/bundle"
	"vitrine/internal/connector"
	"vitrine/internal/connector/chainid"
	"vitrine/internal/domain"
)

type convertCmd struct {
	Chainid   convertChainidCmd   `cmd:"" help:"Convert chains.json of chainid.network into chains of a catalogue."`
	Defillama convertDefillamaCmd `cmd:"" help:"Write DefiLlama's figures into a YAML file of chains."`
}

// convertChainidCmd converts recordings in files, by the rules of catalog/chains-import.md. It makes no
// network requests.
type convertChainidCmd struct {
	File string `arg:"" help:"chains.json of chainid.network."`

	Icons        string `help:"chainid_icons.json, for logos." placeholder:"FILE" env:"-"`
	IPFSGateway  string `name:"ipfs-gateway" default:"https://ipfs.io/ipfs/" help:"Gateway that replaces ipfs:// in logos." placeholder:"URL" env:"-"`
	TVL          string `name:"tvl" help:"A recording of DefiLlama's /v2/chains." placeholder:"FILE" env:"-"`
	TVLAsOf      string `name:"tvl-as-of" help:"Date of that recording, such as 2025-08-17." placeholder:"DATE" env:"-"`
	Platforms    string `help:"Counts of apps with chain_id, platforms, source and as_of; or DefiLlama's .csv by name." placeholder:"FILE" env:"-"`
	LlamaNames   string `help:"Reviewed decisions on DefiLlama's names, with chain ids." placeholder:"FILE" env:"-"`
	Names        string `help:"Names in further locales, by chain id." placeholder:"FILE" env:"-"`
	Aliases      string `help:"Further aliases, by chain id." placeholder:"FILE" env:"-"`
	Categories   string `help:"Reviewed categories with their reasons, by chain id." placeholder:"FILE" env:"-"`
	Endings      string `help:"Retired chains with dates, notes and sources, by chain id." placeholder:"FILE" env:"-"`
	Launched     string `help:"Launch dates with their sources, by chain id." placeholder:"FILE" env:"-"`
	Descriptions string `help:"Descriptions in any locales, by chain id." placeholder:"FILE" env:"-"`
	LeaveOut     string `help:"Records to omit, with their reasons, by chain id." placeholder:"FILE" env:"-"`
	Superchain   string `help:"The chains of ethereum-optimism/superchain-registry, as one array." placeholder:"FILE" env:"-"`
	Kinds        string `help:"Kinds (mainnet or testnet) by chain id, which override rule and reviews." placeholder:"FILE" env:"-"`
	NoReviews    bool   `help:"Apply only the rule for test networks, without the built-in reviews." env:"-"`
	KeepSlugs    string `help:"Chains of the previous import (.ndjson), whose slugs are kept." placeholder:"FILE" env:"-"`
	Verbose      bool   `help:"Name every review without a chain instead of counting them." env:"-"`
	Out          string `default:"-" help:"Output file (.ndjson); - is standard output." placeholder:"FILE" env:"-"`

	overwriting
}

func (c *convertChainidCmd) Run(to streams) error {
	opts, lost, err := c.options()
	if err != nil {
		return err
	}
	result, err := readFrom(c.File, func(r io.Reader) (chainid.Result, error) { return chainid.Convert(r, opts) })
	if err != nil {
		return err
	}
	result.Report.TVL.NotJoined = append(lost.tvl, result.Report.TVL.NotJoined...)
	result.Report.Platforms.NotJoined = append(lost.platforms, result.Report.Platforms.NotJoined...)
	result.Report.Superchain.NotJoined = append(lost.superchain, result.Report.Superchain.NotJoined...)
	if err := cmp.Or(c.refuseChains(result.Chains, opts.Slugs), c.refuseFigures(result.Chains, opts)); err != nil {
		return errors.Join(printReport(to.err, result.Report, c.Verbose), err)
	}
	if err := writeTo(c.Out, to.out, func(w io.Writer) error { return bundle.WriteChains(w, result.Chains) }); err != nil {
		return err
	}
	return printReport(to.err, result.Report, c.Verbose)
}

// refuseFigures returns an error for figures that suggest a broken or outdated recording.
func (c *convertChainidCmd) refuseFigures(chains []domain.Chain, opts chainid.Options) error {
	if err := cmp.Or(c.refuseEmpty(c.TVL, len(opts.TVL)), c.refuseEmpty(c.Platforms, len(opts.Platforms)), c.refuseEmpty(c.Superchain, len(opts.Superchain))); err != nil {
		return err
	}
	there, err := figuresThere(c.KeepSlugs, c.Out)
	if err != nil {
		return err
	}
	tvl, platforms := there[domain.FigureTVL], there[domain.FigurePlatforms]
	for _, ch := range chains {
		if ch.TVL != nil {
			tvl.After++
		}
		if ch.Platforms != nil {
			platforms.After++
		}
	}
	return cmp.Or(c.overwriting.refuse(domain.FigureTVL, tvl, newestOf(opts.TVL)), c.overwriting.refuse(domain.FigurePlatforms, platforms, newestOf(opts.Platforms)))
}

// refuseChains returns an error for a result that suggests a wrong or broken file. Writing it would
// remove chains from a catalogue.
func (c *convertChainidCmd) refuseChains(chains []domain.Chain, earlier map[string]string) error {
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

// rowLosses are the unreadable rows of other upstreams.
type rowLosses struct {
	tvl, platforms, superchain []connector.Loss
}

// options reads the side files that the flags name.
func (c *convertChainidCmd) options() (opts chainid.Options, lost rowLosses, err error) {
	if (c.TVL == "") != (c.TVLAsOf == "") {
		return opts, lost, could{errors.New("--tvl and --tvl-as-of go together: a figure has a date")}
	}
	if err := checkDate("--tvl-as-of", c.TVLAsOf); err != nil {
		return opts, lost, err
	}
	if !c.NoReviews {
		if opts.Reviews, err = chainid.Reviewed(); err != nil {
			return opts, lost, err
		}
	}
	opts.Gateway = c.IPFSGateway
	llama := llamaFiles{TVL: c.TVL, AsOf: c.TVLAsOf, Platforms: c.Platforms, Names: c.LlamaNames}
	if err := llama.read(); err != nil {
		return opts, lost, err
	}
	opts.TVL, opts.Platforms, lost.tvl, lost.platforms = llama.tvl, llama.platforms, llama.lostTVL, llama.lostPlatforms
	readSuperchain := func(r io.Reader) (rows []chainid.SuperchainChain, err error) {
		rows, lost.superchain, err = chainid.ReadSuperchain(r)
		return rows, err
	}
	err = cmp.Or(
		readInto(&opts.Icons, c.Icons, chainid.ReadIcons),
		readInto(&opts.Names, c.Names, chainid.ReadNames),
		readInto(&opts.Aliases, c.Aliases, chainid.ReadAliases),
		readInto(&opts.Facts, c.Categories, chainid.ReadFacts),
		readInto(&opts.Endings, c.Endings, chainid.ReadEndings),
		readInto(&opts.Launches, c.Launched, chainid.ReadLaunches),
		readInto(&opts.Descriptions, c.Descriptions, chainid.ReadDescriptions),
		readInto(&opts.LeaveOut, c.LeaveOut, chainid.ReadLeaveOut),
		readInto(&opts.Superchain, c.Superchain, readSuperchain),
		readInto(&opts.Kinds, c.Kinds, chainid.ReadKinds),
		readInto(&opts.Slugs, c.KeepSlugs, chainid.ReadSlugs),
	)
	return opts, lost, err
}

// readInto reads a file into a target. Without a path it does nothing.
func readInto[T any](target *T, path string, read func(io.Reader) (T, error)) (err error) {
	if path == "" {
		return nil
	}
	*target, err = readFrom(path, read)
	return err
}

// readFrom reads a file and skips a byte order mark.
func readFrom[T any](path string, read func(io.Reader) (T, error)) (v T, err error) {
	f, err := os.Open(path)
	if err != nil {
		return v, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	head, _ := r.Peek(512) // read returns the error again
	if err = bundle.Foreign(head); err == nil {
		if bytes.HasPrefix(head, []byte("\ufeff")) {
			r.Discard(len("\ufeff")) // cannot fail: the bytes are there
		}
		v, err = read(r)
	}
	if err != nil {
		return v, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// writeTo writes a file atomically, or to standard output if the path is "-".
func writeTo(path string, stdout io.Writer, write func(io.Writer) error) error {
	if path == "-" {
		return printed(flushed(stdout, write))
	}
	err := atomicfile.Write(path, ".", 0o644, func(f *os.File) error { return flushed(f, write) })
	if err != nil {
		return unwritten(path, err)
	}
	return nil
}

// unwritten names the requested file instead of the temporary one in system errors.
func unwritten(path string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		err = e.Err
	}
	return could{fmt.Errorf("%s was not written: %w", path, err)}
}

func flushed(w io.Writer, write func(io.Writer) error) error {
	buffered := bufio.NewWriter(w)
	if err := write(buffered); err != nil {
		return err
	}
	return buffered.Flush()
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
		printLosses(b, part.what, part.losses)
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

func printLosses(w io.Writer, what string, losses []connector.Loss) {
	for _, loss := range losses {
		fmt.Fprintf(w, "%s: %s%s\n", what, subject(loss), loss.Reason)
	}
}

// subject names the record of a loss. Names come from upstream, so they are quoted.
func subject(l connector.Loss) string {
	switch {
	case l.ChainID != "" && l.Name != "":
		return fmt.Sprintf("chain %s %q: ", l.ChainID, l.Name)
	case l.ChainID != "":
		return fmt.Sprintf("chain %s: ", l.ChainID)
	case l.Name != "":
		return fmt.Sprintf("%q: ", l.Name)
	}
	return ""
}
