package site

import (
	"slices"
	"sync"
	"weak"

	"vitrine/internal/locale"
	"vitrine/internal/snapshot"
)

// everyCard is what all cards together say in one language.
type everyCard struct {
	live          int               // cards that are not retired
	names         map[string]string // of the chains that they name, by slug
	chains, menus []selectable
}

// everyCards keeps what all cards of the snapshot that was asked for last say: whoever
// looks for it reads every card of the catalogue.
type everyCards struct {
	mu       sync.Mutex
	snapshot weak.Pointer[snapshot.Snapshot]
	byLocale map[locale.ID]everyCard
}

// of returns what all cards say in the snapshot and the language of a view.
func (k *everyCards) of(v *view) (everyCard, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.snapshot.Value() != v.snapshot {
		k.snapshot, k.byLocale = weak.Make(v.snapshot), map[locale.ID]everyCard{}
	}
	if found, ok := k.byLocale[v.locale]; ok {
		return found, nil
	}
	all, _, err := v.cards("status=all&locale=" + v.snapshot.Locales().Name(v.locale))
	if err != nil {
		return everyCard{}, err
	}
	names := v.chainNames(all.Cards)
	found := everyCard{live: live(all.Cards), names: names, chains: chainChoices(names), menus: v.menuChoices(all.Cards)}
	k.byLocale[v.locale] = found
	return found, nil
}

// chosen returns selectables of which the one with a value is chosen.
func chosen(all []selectable, value string) []selectable {
	all = slices.Clone(all)
	for i := range all {
		all[i].On = all[i].Value == value
	}
	return all
}
