package domain

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	maxHandle    = 50      // bytes
	maxChainID   = 100     // code points
	maxChannelID = 100     // bytes
	maxCount     = 1 << 53 // a float64 has every whole number up to here
)

// chains checks the list of chains.
func (ck *checker) chains() {
	slugs, chainIDs := make(firsts, len(ck.cat.Chains)), make(firsts)
	for i := range ck.cat.Chains {
		c := &ck.cat.Chains[i]
		at := Ref{Kind: KindChain, Index: i}
		known := isKnown(ck.known.chains, i)
		if !known {
			ck.key(at, "slug", c.Slug)
		}
		sameSlug := ck.uniqueKey(at, slugs, "slug", "give one of them another slug, or remove it")
		if known {
			ck.chainFields(at, c)
			continue
		}
		ck.fields(at, chainShape, c)
		if first, repeated := ck.chainID(at, c.ChainID, chainIDs, i); repeated && !sameSlug {
			ck.repeats(at.in("chain_id"), Ref{Kind: KindChain, Index: first}, RuleDuplicateChainID,
				fmt.Sprintf("chain_id %s is also that of chain %s", quote(c.ChainID), quote(ck.cat.Chains[first].Slug)),
				"correct it, or leave it: ids of different families may collide")
		}
	}
	ck.chainIDs()
	ck.chainParents()
}

// chainFields checks only the references of a chain that was checked before: what
// they lead to may be gone since.
func (ck *checker) chainFields(at Ref, c *Chain) {
	for _, f := range chainShape.Fields {
		if f.rule == chainRule {
			ck.chainRefs(at, f, c)
		}
	}
}

// chainID checks the id of chain i, and returns the first chain that has it.
func (ck *checker) chainID(at Ref, id string, seen firsts, i int) (first int, repeated bool) {
	at = at.in("chain_id")
	if id == "" {
		ck.report(at, RuleMissingField, "chain_id is missing or empty",
			"write the chain's id, or its CAIP-2 reference if it has none of its own")
		return 0, false
	}
	if utf8.RuneCountInString(id) > maxChainID || !visible(id) {
		ck.report(at, RuleMalformedKey, fmt.Sprintf("chain_id %s is not well-formed", quote(id)),
			fmt.Sprintf("write an id of at most %d characters without white space", maxChainID))
		return 0, false
	}
	return seen.repeatsExactly(comparableID(id), i)
}

// ChainIDSpellings returns what a chain id may be written as
// (docs/api.md#chain-ids): as it is; a decimal one in hexadecimal, and as the CAIP-2
// id of an EVM chain; of a CAIP-2 id what follows its colon. "" has none.
func ChainIDSpellings(id string) []string {
	if id == "" {
		return nil
	}
	if value, ok := new(big.Int).SetString(id, 10); ok && only(id, isDigit) {
		return []string{id, "0x" + value.Text(16), "eip155:" + value.String()}
	}
	if _, reference, ok := strings.Cut(id, ":"); ok && reference != "" {
		return []string{id, reference}
	}
	return []string{id}
}

// comparableID makes equal the ids that are equal by value
// (docs/api.md#chains).
func comparableID(id string) string {
	if !only(id, isDigit) {
		return id
	}
	if id = strings.TrimLeft(id, "0"); id == "" {
		return "0"
	}
	return id
}

// visible reports whether s is text without white space or what cannot be
// seen.
func visible(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) })
}

// chainIDs checks that the ids which responses give are unique. They are compared
// with their case, because clients keep them. Two derived ids differ whenever their
// slugs do, but a written id may be the one that is derived for another chain: one
// that was kept when a chain was renamed, and whose old slug is in use again.
func (ck *checker) chainIDs() {
	written := false
	for _, c := range ck.cat.Chains {
		written = written || c.ID != ""
	}
	if !written {
		return
	}
	seen := make(firsts, len(ck.cat.Chains))
	for i, c := range ck.cat.Chains {
		first, repeated := seen.repeatsExactly(c.StableID(), i)
		if !repeated || c.ID == "" && ck.cat.Chains[first].ID == "" { // the slug is repeated, and reported
			continue
		}
		ck.repeats(Ref{Kind: KindChain, Index: i}.in("id"), Ref{Kind: KindChain, Index: first}, RuleDuplicate,
			fmt.Sprintf("%s is already that of chain %s", idName(c.ID, c.StableID()), quote(ck.cat.Chains[first].Slug)),
			"give one of them another id")
	}
}

// idName names an id in a message. Editors do not see a derived one in their
// files, so the message says where it comes from.
func idName(written, id string) string {
	if written == "" {
		return fmt.Sprintf("the id %s, which is derived because none is written,", quote(id))
	}
	return "id " + quote(id)
}

// accounts checks the list of Twitter/X accounts.
func (ck *checker) accounts() {
	handles := make(firsts, len(ck.cat.Accounts))
	for i := range ck.cat.Accounts {
		a := &ck.cat.Accounts[i]
		at := Ref{Kind: KindAccount, Index: i}
		known := isKnown(ck.known.accounts, i)
		if !known {
			ck.handle(at, a.Handle)
		}
		ck.uniqueKey(at, handles, "handle", "remove one of them; case does not matter in handles")
		if known {
			continue
		}
		ck.fields(at, accountShape, a)
		if HeldBack(*a) {
			ck.report(at.in(string(FigureFollowers)), RuleHeldBack,
				"the account has no followers_count and is held back from the list, unless a count was observed",
				"write followers_count, best with its source and date")
		}
	}
}

func (ck *checker) handle(at Ref, handle string) {
	switch {
	case handle == "":
		ck.missing(at.in("handle"), "handle")
	case len(handle) > maxHandle || !only(handle, isWordByte):
		ck.report(at.in("handle"), RuleMalformedHandle, fmt.Sprintf("handle %s is not well-formed", quote(handle)), handleRemedy(handle))
	}
}

// handleRemedy finds the handle in what is pasted most often: the address of a
// profile or of a page below it.
func handleRemedy(handle string) string {
	name := handle
	if _, rest, ok := strings.Cut(name, "://"); ok {
		name = rest
	}
	if host, path, ok := strings.Cut(name, "/"); ok && isHost(host) {
		name = path
	}
	name, _, _ = strings.Cut(strings.TrimLeft(name, "@"), "/")
	name, _, _ = strings.Cut(name, "?")
	if !isPlaceholder(handle) && name != handle && name != "" && len(name) <= maxHandle && only(name, isWordByte) {
		return "write " + name
	}
	return `use ASCII letters, digits and "_", at most 50`
}

// plainName checks a name that is the same in every language.
func (ck *checker) plainName(at Ref, name string) {
	if name == "" {
		ck.missing(at.in("name"), "name")
		return
	}
	if at = at.in("name"); ck.plain(at, "name", name, maxName, false) {
		ck.visible(at, "name", name)
	}
}

// channels checks the list of YouTube channels. Channel ids tell case.
func (ck *checker) channels() {
	ids := make(firsts, len(ck.cat.Channels))
	for i := range ck.cat.Channels {
		c := &ck.cat.Channels[i]
		at := Ref{Kind: KindChannel, Index: i}
		known := isKnown(ck.known.channels, i)
		if !known {
			ck.channelID(at.in("channel_id"), c.ChannelID)
		}
		if first, repeated := ids.repeatsExactly(c.ChannelID, i); repeated {
			ck.repeats(at.in("channel_id"), Ref{Kind: KindChannel, Index: first}, RuleDuplicate,
				fmt.Sprintf("channel_id %s is already that of channel %s", quote(c.ChannelID), quote(ck.cat.Channels[first].Name)),
				"remove one of them")
		}
		if known {
			continue
		}
		ck.fields(at, channelShape, c)
	}
}

func (ck *checker) channelID(at Ref, id string) {
	switch {
	case id == "":
		ck.missing(at, "channel_id")
	case len(id) > maxChannelID || !only(id, func(b byte) bool { return isWordByte(b) || b == '-' }):
		ck.report(at, RuleMalformedKey, fmt.Sprintf("channel_id %s is not well-formed", quote(id)),
			`copy it from the channel's address, as "UCNOfzGXD_C9YMYmnefmPH0g": letters, digits, "_" and "-"`)
	}
}

func (ck *checker) figure(at Ref, of *Field, f *Figure) {
	if f == nil {
		return
	}
	name := of.Name
	at = at.in(name)
	if fault := valueFault(f.Value, of.Count); fault != "" {
		ck.report(at.in("value"), RuleMalformedFigure, fmt.Sprintf("%s %s %s", name, formatNumber(f.Value), fault), "write a number, as 1200")
	}
	if f.AsOf == "" && f.Source == "" {
		return
	}
	if !f.AsOf.valid() {
		ck.report(at.in("as_of"), RuleMalformedFigure, fmt.Sprintf("as_of %s of %s is not a date", quote(string(f.AsOf)), name),
			"write the day of the figure as YYYY-MM-DD")
	}
	if ck.latest != "" && f.AsOf.valid() && f.AsOf > ck.latest {
		ck.report(at.in("as_of"), RuleFutureDate, fmt.Sprintf("as_of %s of %s is in the future, today is %s", f.AsOf, name, ck.reading.Today),
			"write the day on which the figure was true")
	}
	if f.Source == "" {
		ck.report(at.in("source"), RuleMalformedFigure, fmt.Sprintf("%s has a date and no source", name), "write where the figure is from")
	}
	ck.plain(at.in("source"), "source", f.Source, maxName, false)
}

func valueFault(v float64, count bool) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "is not a finite number"
	case v < 0:
		return "is below 0"
	case count && v != math.Trunc(v):
		return "is not a whole number"
	case count && v > maxCount:
		return "is too large"
	}
	return ""
}

// valid reports whether d is a day of the calendar as YYYY-MM-DD.
func (d Date) valid() bool {
	_, err := time.Parse(time.DateOnly, string(d))
	return err == nil
}

// dayAfter returns the day after d, "" for no day.
func (d Date) dayAfter() Date {
	day, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return ""
	}
	return Date(day.AddDate(0, 0, 1).Format(time.DateOnly))
}
