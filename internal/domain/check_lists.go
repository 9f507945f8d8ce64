package domain

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	maxHandle    = 50      // bytes
	maxChainID   = 100     // code points
	maxChannelID = 100     // bytes
	maxDecimals  = 36      // of a currency: amounts in the least unit stay below 2²⁵⁶ (Nano has 30)
	maxCount     = 1 << 53 // a float64 has every whole number up to here
)

// MaxNumber is the largest number that a catalogue may have: a float64, and so a reader in
// JavaScript, tells whole numbers apart up to here.
const MaxNumber = 1<<53 - 1

// chains checks the list of chains.
func (ck *checker) chains() {
	slugs, chainIDs := make(firsts, len(ck.cat.Chains)), make(firsts)
	for i := range ck.cat.Chains {
		c := &ck.cat.Chains[i]
		at := Ref{Kind: KindChain, Index: i}
		known := isKnown(ck.known.chains, i)
		if known {
			ck.chainFields(at, c)
		} else {
			ck.fields(at, chainShape, c)
			ck.status(at, chainShape, c)
		}
		sameSlug := ck.uniqueKey(at, slugs, "slug", "give one of them another slug, or remove it")
		if known {
			continue
		}
		if first, repeated := chainIDs.repeats(ChainIDKey(c.ChainID), i); repeated && !sameSlug {
			ck.sharedChainID(i, first)
		}
	}
	if !ck.unread.Chains {
		ck.cyclesOf(KindChain, "parent")
		ck.cyclesOf(KindChain, "successor")
	}
}

// sharedChainID reports that chain i has the chain id of chain first, in the same or in
// another spelling.
func (ck *checker) sharedChainID(i, first int) {
	c, other := &ck.cat.Chains[i], &ck.cat.Chains[first]
	message, remedy := fmt.Sprintf("chain_id %s is also that of chain %s", quote(c.ChainID), quote(other.Slug)),
		"correct it, or leave it: ids of different families may collide"
	if !strings.EqualFold(c.ChainID, other.ChainID) {
		message, remedy = fmt.Sprintf("chain_id %s is another spelling of %s, the chain_id of chain %s", quote(c.ChainID), quote(other.ChainID), quote(other.Slug)),
			"remove one of the chains, or correct the chain_id"
	}
	ck.repeats(Ref{Kind: KindChain, Index: i}.in("chain_id"), Ref{Kind: KindChain, Index: first}, RuleDuplicateChainID, message, remedy)
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

func (ck *checker) chainID(at Ref, field, id string) {
	if utf8.RuneCountInString(id) > maxChainID || !isGraphic(id) || !ck.stored && strings.ContainsFunc(id, isUnseen) {
		ck.report(at, RuleMalformedKey, fmt.Sprintf("%s %s is not well-formed", field, quote(id)),
			fmt.Sprintf("write an id of at most %d characters without white space or invisible characters", maxChainID))
	}
}

// isGraphic reports whether s is text without white space, control and format characters.
func isGraphic(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) })
}

// isUnseen reports characters that show nothing although Unicode counts them as letters,
// marks or symbols.
func isUnseen(r rune) bool { return r == blankBraille || isZeroWidth(r) }

// pastIDs checks that the ids that chains had are listed once.
func (ck *checker) pastIDs(at Ref) {
	seen := make(firsts, len(ck.cat.PastIDs))
	for i, p := range ck.cat.PastIDs {
		here := at.in("past_ids").at(i)
		if first, repeated := seen.repeats(p.ID, i); repeated {
			ck.repeats(here.in("id"), at.in("past_ids").at(first), RuleDuplicate,
				fmt.Sprintf("past id %s is listed twice", quote(p.ID)), "remove one of them")
		}
	}
}

// accounts checks the list of Twitter/X accounts.
func (ck *checker) accounts() {
	handles := make(firsts, len(ck.cat.Accounts))
	for i := range ck.cat.Accounts {
		a := &ck.cat.Accounts[i]
		at := Ref{Kind: KindAccount, Index: i}
		known := isKnown(ck.known.accounts, i)
		if !known {
			ck.fields(at, accountShape, a)
		}
		ck.uniqueKey(at, handles, "handle", "remove one of them; case does not matter in handles")
		if known {
			continue
		}
		if HeldBack(*a) {
			ck.report(at.in(string(FigureFollowers)), RuleHeldBack,
				"the account has no followers_count and is held back from the list, unless a count was observed",
				"write followers_count, best with its source and date")
		}
	}
}

func (ck *checker) handle(at Ref, field, handle string) {
	if !validHandle(handle) {
		ck.report(at, RuleMalformedHandle, fmt.Sprintf("%s %s is not well-formed", field, quote(handle)), handleRemedy(handle))
	}
}

// validHandle reports whether a handle that is not empty is well-formed.
func validHandle(handle string) bool { return len(handle) <= maxHandle && only(handle, isWordByte) }

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

// channels checks the list of YouTube channels. Channel ids tell case.
func (ck *checker) channels() {
	ids := make(firsts, len(ck.cat.Channels))
	for i := range ck.cat.Channels {
		c := &ck.cat.Channels[i]
		at := Ref{Kind: KindChannel, Index: i}
		known := isKnown(ck.known.channels, i)
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

func (ck *checker) channelID(at Ref, field, id string) {
	if !validChannelID(id) {
		ck.report(at, RuleMalformedKey, fmt.Sprintf("%s %s is not well-formed", field, quote(id)), channelIDRemedy)
	}
}

const channelIDRemedy = `copy it from the channel's address, as "UCNOfzGXD_C9YMYmnefmPH0g": letters, digits, "_" and "-"`

// validChannelID reports whether a channel id that is not empty is well-formed.
func validChannelID(id string) bool {
	return len(id) <= maxChannelID && only(id, func(b byte) bool { return isWordByte(b) || b == '-' })
}

func (ck *checker) figure(at Ref, of *Field, f *Figure) {
	name := of.Name
	in := func(part string) Ref { return at.in(name, part) }
	if fault := valueFault(f.Value, of.Count); fault != "" {
		ck.report(in("value"), RuleMalformedFigure, fmt.Sprintf("%s %s %s", name, formatNumber(f.Value), fault), "write a number, as 1200")
	}
	if f.AsOf == "" && f.Source == "" {
		return
	}
	if !f.AsOf.valid() {
		ck.report(in("as_of"), RuleMalformedFigure, fmt.Sprintf("as_of %s of %s is not a date", quote(string(f.AsOf)), name),
			"write the day of the figure as YYYY-MM-DD")
	}
	if ck.inFuture(f.AsOf) {
		ck.futureDate(in("as_of"), fmt.Sprintf("as_of %s of %s", f.AsOf, name), "write the day on which the figure was true")
	}
	if f.Source == "" {
		ck.report(in("source"), RuleMalformedFigure, fmt.Sprintf("%s has a date and no source", name), "write where the figure is from")
	}
	if fault := ck.textFault("source", f.Source, maxName, false); fault != nil {
		ck.reportFault(in("source"), fault)
	}
}

// Fault says why a figure with a source and a date cannot be published, as [Check] would,
// "" if it can. Count says that it is a whole number; today is as in [Reading].
func (f *Figure) Fault(count bool, today Date) string {
	switch fault := valueFault(f.Value, count); {
	case fault != "":
		return fault
	case f.Value > MaxNumber:
		return fmt.Sprintf("is too large, the limit is %d", int64(MaxNumber))
	case !f.AsOf.valid():
		return fmt.Sprintf("has the date %s, which is none", quote(string(f.AsOf)))
	case f.AsOf > today.dayAfter():
		return fmt.Sprintf("is of %s, which is in the future, today is %s", f.AsOf, today)
	}
	return ""
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
