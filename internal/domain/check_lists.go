package domain

import (
	"fmt"
	"strings"

	"vitrine/internal/fold"
)

const maxChannelID = 100 // bytes

// sharedChainIDs reports the chains with the chain id of an earlier one: either the same chain in
// another spelling, or a mistake.
func (ck *checker) sharedChainIDs() {
	if ck.stored { // warnings are for editors
		return
	}
	chainIDs := make(firsts)
	for i, c := range ck.cat.Chains {
		first, repeated := chainIDs.repeats(ChainIDKey(c.ChainID), i)
		if !repeated || fold.Text(c.Slug) == fold.Text(ck.cat.Chains[first].Slug) { // the slug is reported
			continue
		}
		other := &ck.cat.Chains[first]
		message, remedy := fmt.Sprintf("chain_id %s is also that of chain %s", quote(c.ChainID), quote(other.Slug)),
			"correct it, or accept the warning if both networks use this id"
		if !strings.EqualFold(c.ChainID, other.ChainID) {
			message, remedy = fmt.Sprintf("chain_id %s is another spelling of %s, the chain_id of chain %s", quote(c.ChainID), quote(other.ChainID), quote(other.Slug)),
				"remove one of the chains, or correct the chain_id"
		}
		ck.repeats(Ref{Kind: KindChain, Index: i}.in("chain_id"), Ref{Kind: KindChain, Index: first}, RuleDuplicateChainID, message, remedy)
	}
}

// pastIDs reports reserved ids that are listed twice.
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

// heldBack reports an account without followers, which lists omit.
func (ck *checker) heldBack(at Ref, a *Account) {
	if HeldBack(a) {
		ck.report(at.in(string(FigureFollowers)), RuleHeldBack,
			"the account has no followers_count and is held back from the list, unless a count was observed",
			"write followers_count, best with its source and date")
	}
}

const channelIDRemedy = `copy it from the channel's address, as "UCNOfzGXD_C9YMYmnefmPH0g": letters, digits, "_" and "-"`

// validChannelID reports whether a channel id that is not empty is well-formed.
func validChannelID(id string) bool {
	return len(id) <= maxChannelID && only(id, func(b byte) bool { return isWordByte(b) || b == '-' })
}

func channelIDFault(what, id string) *fault {
	if validChannelID(id) {
		return nil
	}
	return &fault{RuleMalformedKey, fmt.Sprintf("%s %s is not well-formed", what, quote(id)), channelIDRemedy}
}
