package snapshot

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// WithChanges returns a copy of the snapshot that knows the changes of the last revisions. It shares
// all else. The newest revision of the log is that of the snapshot; nil means that they are unknown.
func (s *Snapshot) WithChanges(log *changelog.Log) *Snapshot {
	c := *s
	c.changes = log
	return &c
}

// UnknownChanges is the error for changes that a snapshot does not know.
type UnknownChanges struct {
	// Oldest is the oldest revision whose later changes are known, nil if none are: only the last
	// good state is served.
	Oldest *changelog.Revision
	// Bulk is the address of the pointer of the bulk data, "" for none.
	Bulk string
}

// Error returns a sentence for clients.
func (e *UnknownChanges) Error() string {
	if e.Oldest == nil {
		return "the changes are not known while the store does not answer; try again later"
	}
	instead := "read the lists again"
	if e.Bulk != "" {
		instead += ", or the whole catalogue from " + e.Bulk
	}
	return fmt.Sprintf("the changes are known since revision %d of %s; %s, then ask for the changes since their revision",
		e.Oldest.Number, e.Oldest.PublishedAt.UTC().Format(query.TimeFormat), instead)
}

// Since returns the revision that a query means. The error is an [*UnknownChanges].
func (s *Snapshot) Since(q query.Changes) (int64, error) {
	if s.changes == nil {
		return 0, &UnknownChanges{}
	}
	oldest := s.changes.Oldest()
	since, known := q.Revision, q.Revision >= oldest.Number
	if since == 0 {
		since, known = s.changes.Current(q.Time)
	}
	if !known {
		return 0, &UnknownChanges{Oldest: &oldest, Bulk: s.revision.Bulk}
	}
	return since, nil
}

// ChangesView returns the changes since a revision, which is a result of [Snapshot.Since]. A later
// revision than that of the snapshot has none.
func (s *Snapshot) ChangesView(q query.Changes, since int64) *Changes {
	view := &Changes{From: since, To: max(since, s.revision.Number)}
	if since >= s.revision.Number {
		return view
	}
	all := s.changes.Since(since, isPublic)
	all = slices.DeleteFunc(all, func(c changelog.Change) bool { return !slices.Contains(q.Kinds, KindOfChange(c)) })
	sortChanges(all)
	view.Total = len(all)
	first := min(q.Page.Offset, len(all))
	view.Changes = s.ChangeViews(all[first:min(first+q.Page.Limit, len(all))], q.Locale)
	return view
}

// Edits returns the changes since a revision, in the order of [Snapshot.ChangesView], without those of
// figures alone. The revision is a result of [Snapshot.Since].
func (s *Snapshot) Edits(since int64) []changelog.Change {
	if since >= s.revision.Number {
		return nil
	}
	all := slices.DeleteFunc(s.changes.Since(since, isPublic), isOfFigures)
	sortChanges(all)
	return slices.Clip(all)
}

// ChangeViews returns the views of changes of the served revision in a locale.
func (s *Snapshot) ChangeViews(all []changelog.Change, id locale.ID) []Change {
	var views []Change
	for _, c := range all {
		views = append(views, s.change(c, s.in(id)))
	}
	return views
}

// sortChanges sorts changes by revision, newest first, then kind and key.
func sortChanges(all []changelog.Change) {
	order := map[domain.Kind]int{}
	for kind, public := range changingKinds {
		order[kind] = slices.Index(query.ChangeKinds(), public.kind)
	}
	slices.SortFunc(all, func(a, b changelog.Change) int {
		return cmp.Or(cmp.Compare(b.Revision, a.Revision), cmp.Compare(order[a.Kind], order[b.Kind]),
			cmp.Compare(a.Key, b.Key), cmp.Compare(a.Menu, b.Menu), cmp.Compare(a.Op, b.Op))
	})
}

// change returns the view of a change.
func (s *Snapshot) change(c changelog.Change, in language) Change {
	view := Change{
		Kind: changingKinds[c.Kind].kind, Key: c.Key, Was: c.Was, Change: c.Op, Revision: c.Revision,
		PublishedAt: s.changes.PublishedAt(c.Revision).UTC().Format(time.RFC3339),
	}
	for _, m := range changingKinds[c.Kind].fields {
		if slices.Contains(c.Fields, m.field) && !slices.Contains(view.Fields, m.member) {
			view.Fields = append(view.Fields, m.member)
		}
	}
	if c.Op == domain.Removed {
		view.Title = cmp.Or(in.text(c.Title), c.Name, c.Key)
		return view
	}
	view.Title, view.Href = s.titled(c, in)
	return view
}

// isOfFigures reports whether only figures of the record changed, or their sources and dates.
func isOfFigures(c changelog.Change) bool {
	return c.Op == domain.Changed && c.Was == "" &&
		!slices.ContainsFunc(c.Fields, func(field string) bool { return !figureFields[field] })
}

// figureFields has the names of the fields of all kinds with figures.
var figureFields = func() map[string]bool {
	fields := map[string]bool{changelog.FieldFigures: true}
	for _, kind := range domain.Kinds() {
		for _, f := range domain.Describe(kind).Shape.Fields {
			if f.Type == domain.TypeFigure {
				fields[f.Name] = true
			}
		}
	}
	return fields
}()

// titled returns the title and the path of the present record of a change.
func (s *Snapshot) titled(c changelog.Change, in language) (title, href string) {
	switch c.Kind {
	case changelog.KindCard:
		_, card := s.nav.card(c.Menu, c.Key)
		return in.text(card.Title), menuPath + c.Menu
	case domain.KindMenu:
		return in.text(cmp.Or(s.nav.menus[c.Key], new(domain.Menu)).Title), menuPath + c.Key
	case domain.KindNavGroup:
		return in.text(s.nav.groupOf(c.Key).Name), navGroupPath + c.Key
	case domain.KindCategory:
		return in.text(s.names[c.Key]), categoriesPath
	case domain.KindGroup:
		module, key, _ := strings.Cut(c.Key, "/")
		return in.text(s.registry.group(domain.Module(module), key).Name), categoryGroupsPath + module
	}
	return s.list(changingKinds[c.Kind].kind).titleOf(c.Key, in)
}

// KindOfChange returns the kind of the record of a change in responses.
func KindOfChange(c changelog.Change) query.Kind { return changingKinds[c.Kind].kind }

// TitleOf returns the title of a chain, an app, an account or a channel by its key, "" for none.
func (s *Snapshot) TitleOf(kind query.Kind, key string, id locale.ID) string {
	of, ok := s.lists[kind]
	if !ok {
		return ""
	}
	title, _ := of.titleOf(key, s.in(id))
	return title
}

// publicField is a field of a record and its member in responses.
type publicField struct{ field, member string }

// changing is a kind of records that appears in changes.
type changing struct {
	kind   query.Kind    // in responses
	fields []publicField // that responses have, in the order of the fields
}

// changingKinds has the kinds in changes: those of the sources, and those without a source.
var changingKinds = func() map[domain.Kind]changing {
	of := func(kind domain.Kind) *domain.Shape { return domain.Describe(kind).Shape }
	all := map[domain.Kind]changing{
		domain.KindMenu:     {query.KindMenu, fieldsIn(of(domain.KindMenu), Menu{}, publicField{"path_slug", "menuSlug"})},
		domain.KindNavGroup: {query.KindGroup, fieldsIn(of(domain.KindNavGroup), NavGroup{}, publicField{"menus", "navs"})},
		domain.KindGroup:    {query.KindCategoryGroup, fieldsIn(of(domain.KindGroup), CategoryGroup{})},
		domain.KindCategory: {query.KindCategory, fieldsIn(of(domain.KindCategory), Category{},
			publicField{"description", "descriptionI18n"}, publicField{"groups", "moduleGroupKeys"})},
		changelog.KindCard: {query.KindCard, append(fieldsIn(domain.CardShape(), CardRow{}),
			publicField{changelog.FieldItem, "item"}, publicField{"status", "status"}, publicField{"links", "links"})},
	}
	for _, listed := range listedKinds {
		all[listed.Description.Kind] = changing{listed.Kind, fieldsIn(listed.Description.Shape, listed.whole)}
	}
	return all
}()

// fieldsIn returns the fields of a shape that a view has as members: by their name, or by an
// exception. A figure that is no member is one of the figures.
func fieldsIn(shape *domain.Shape, view any, exceptions ...publicField) []publicField {
	members := planOf(reflect.TypeOf(view))
	var all []publicField
	for _, f := range shape.Fields {
		member := MemberName(f)
		if i := slices.IndexFunc(exceptions, func(e publicField) bool { return e.field == f.Name }); i >= 0 {
			member = exceptions[i].member
		} else if f.Type == domain.TypeFigure && !members.has(member) {
			member = changelog.FieldFigures
		} else if !members.has(member) {
			continue
		}
		all = append(all, publicField{f.Name, member})
	}
	if members.has(changelog.FieldFigures) {
		all = append(all, publicField{changelog.FieldFigures, changelog.FieldFigures})
	}
	return all
}

// isPublic reports whether responses have a field of a kind.
func isPublic(kind domain.Kind, field string) bool {
	return slices.ContainsFunc(changingKinds[kind].fields, func(f publicField) bool { return f.field == field })
}
