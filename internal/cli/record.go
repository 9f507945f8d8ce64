package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/history"
	"vitrine/internal/spelling"
	"vitrine/internal/store"
)

// parseKind returns the kind with a name, in any case.
func parseKind(s string) (domain.Kind, error) {
	if d := domain.Named(strings.ToLower(s)); d != nil {
		return d.Kind, nil
	}
	var own, all []string
	for _, d := range domain.Descriptions() {
		own, all = append(own, string(d.Kind)), append(append(all, string(d.Kind)), d.Names...)
	}
	meant := ""
	if near := spelling.Nearest(s, all); near != "" {
		meant = fmt.Sprintf("did you mean %q? ", near)
	}
	return "", could{fmt.Errorf("there is no kind %q; %sthe kinds are: %s", s, meant, strings.Join(own, ", "))}
}

// recordArgs name a record and, optionally, its revision.
type recordArgs struct {
	Kind string `arg:"" help:"${kinds}."`
	Key  string `arg:"" optional:"" name:"key[@rev]" help:"Key, slug, handle, channel id or path slug of the record; module/key of a group; none for catalog. @REV selects a revision (default: the newest)."`
}

func anyKind(*domain.Description) bool    { return true }
func longKind(d *domain.Description) bool { return d.Long }

// newKind reports whether the command new adds records of the kind.
func newKind(d *domain.Description) bool { return d.KeyField != nil && !d.Raw }

// kindNames lists kinds for the help and messages.
func kindNames(of func(*domain.Description) bool) string {
	var names []string
	for _, d := range domain.Descriptions() {
		if of(d) {
			names = append(names, string(d.Kind))
		}
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// selector is a parsed recordArgs. Revision 0 is the head.
type selector struct {
	kind     domain.Kind
	key      string
	revision int64
}

func (a recordArgs) parse() (selector, error) {
	kind, err := parseKind(a.Kind)
	if err != nil {
		return selector{}, err
	}
	sel := selector{kind: kind, key: a.Key}
	if kind == domain.KindAccount {
		sel.key = strings.TrimPrefix(sel.key, "@")
	}
	key, number, found := strings.Cut(sel.key, "@")
	if found {
		if sel.revision, err = parseRevision(number); err != nil {
			return selector{}, err
		}
		sel.key = key
	}
	switch {
	case kind != domain.KindCatalog && sel.key == "":
		return selector{}, could{fmt.Errorf("name the record: vitrine ... %s KEY", kind)}
	case kind == domain.KindCatalog && sel.key != "" && sel.key != string(domain.KindCatalog):
		return selector{}, could{fmt.Errorf("the catalogue's own fields have no key: remove %q", sel.key)}
	case kind == domain.KindCatalog:
		sel.key = string(domain.KindCatalog)
	}
	return sel, nil
}

// parseRevision parses the number of a revision.
func parseRevision(s string) (int64, error) {
	number, err := strconv.ParseInt(s, 10, 64)
	if err != nil || number < 1 {
		return 0, could{fmt.Errorf("%q is not the number of a revision; vitrine history lists them", s)}
	}
	return number, nil
}

// withRecord calls do with the named record and its store, which is open until do returns.
func (a recordArgs) withRecord(ctx context.Context, from storeFlag, do func(store.Store, history.Record) error) error {
	sel, err := a.parse()
	if err != nil {
		return err
	}
	return from.withRevision(ctx, sel.revision, func(s store.Store, state *store.State) error {
		record, found := history.Find(state, sel.kind, sel.key)
		if !found {
			return sel.notFound(ctx, s, state)
		}
		return do(s, record)
	})
}

// notFound returns an error for a record that a state lacks, with its removal if the history has it.
func (sel selector) notFound(ctx context.Context, s store.Store, state *store.State) error {
	number := state.Revision.Number
	removal, found, err := history.RemovalOf(ctx, s, sel.kind, sel.key, number)
	if err != nil {
		return could{err}
	}
	if !found {
		return fmt.Errorf("%s has no record %q in revision %d%s", sel.kind, sel.key, number, suggest(sel.key, history.Keys(state.Merged(), sel.kind), history.Named(state.Merged(), sel.kind, sel.key)...))
	}
	what := "removed"
	if renamed, ok := history.FindFormer(state, sel.kind, sel.key); ok {
		what = "renamed to " + renamed.Key
	}
	shown := ""
	if removal.Before > 0 {
		shown = fmt.Sprintf("; vitrine show %s %s@%d prints it", sel.kind, sel.key, removal.Before)
	}
	return fmt.Errorf("%s %q is not in revision %d: it was %s in %s%s", sel.kind, sel.key, number, what, describe(removal.Revision), shown)
}

// suggest returns a suggestion of similar keys, those of records with that name first.
func suggest(key string, keys []string, named ...string) string {
	const few = 5
	near := named[:min(len(named), few)]
	if nearest := spelling.Nearest(key, keys); len(near) == 0 && nearest != "" {
		near = append(near, nearest)
	}
	for _, k := range keys {
		if len(near) < few && !slices.Contains(near, k) && strings.Contains(strings.ToLower(k), strings.ToLower(key)) {
			near = append(near, k)
		}
	}
	switch {
	case len(near) > 0:
		return "; did you mean " + strings.Join(near, ", ") + "?"
	case len(keys) == 0:
		return "; it has none"
	case len(keys) <= few:
		return "; it has " + strings.Join(keys, ", ")
	}
	return fmt.Sprintf("; none of its %s keys and names is similar", grouped(len(keys)))
}
