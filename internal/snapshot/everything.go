package snapshot

import (
	"cmp"
	"iter"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

// searched is one kind of what a search over everything finds.
type searched struct {
	kind    query.Kind
	index   *search.Index
	order   func(locale.ID) *order // the default one of its list
	demoted *roaring.Bitmap        // nil for nothing
	finding func(number uint32) domain.Finding
	hit     func(number uint32) hit
}

// hit is what a result tells of a record.
type hit struct {
	key                string
	name               string      // the same in every language; "" if there is a title
	title, description domain.Text //
	image, url, href   string      // "" for none
}

// searched returns all kinds, in the order of [query.Kinds]; categories are as the
// registry lists them.
func (c *compiler) searched(s *Snapshot, categories []domain.Category) []searched {
	everywhere := func(o *order) func(locale.ID) *order { return func(locale.ID) *order { return o } }
	return []searched{
		foundIn(query.KindChain, s.chains.list, everywhere(&s.chains.byTVL.descending), func(c *domain.Chain) hit {
			return hit{key: c.Slug, title: c.Name, description: c.Description, image: c.Logo, url: c.Website, href: "/api/open/chains/" + c.Slug}
		}),
		foundIn(query.KindUser, s.users.list, everywhere(&s.users.byFollowers), func(a *domain.Account) hit {
			return hit{key: a.Handle, name: a.Name, description: a.Description, url: a.Website, href: "/api/open/twitter/users/" + a.Handle}
		}),
		foundIn(query.KindChannel, s.channels.list, func(id locale.ID) *order { return &s.channels.byName[id] }, func(c *domain.Channel) hit {
			return hit{key: c.ChannelID, name: c.Name, description: c.Description, url: c.Website, href: "/api/open/youtube/channels/" + c.ChannelID}
		}),
		foundIn(query.KindCard, s.cards.list, everywhere(&s.cards.byMenu), func(c *card) hit {
			return hit{key: c.ID, title: c.Title, description: c.Description, image: c.Image, url: c.Link, href: "/api/open/nav/menus/" + c.menu}
		}),
		c.foundMenus(),
		foundCategories(categories),
	}
}

// foundIn is of the records of a list.
func foundIn[R any](kind query.Kind, l *list[R], order func(locale.ID) *order, tell func(*R) hit) searched {
	return searched{
		kind: kind, index: l.index, order: order, demoted: l.demoted,
		finding: func(number uint32) domain.Finding { return l.finding(l.records[number]) },
		hit:     func(number uint32) hit { return tell(l.records[number]) },
	}
}

// foundMenus is of all menus: those of the groups in their order, then the others.
func (c *compiler) foundMenus() searched {
	menus := pointers(c.catalog.Menus, every, func(a, b *domain.Menu) int { return cmp.Compare(c.menuRanks[a.PathSlug], c.menuRanks[b.PathSlug]) })
	return foundAmong(query.KindMenu, domain.Describe(domain.KindMenu).Shape, menus, func(m *domain.Menu) hit {
		return hit{key: m.PathSlug, title: m.Title, description: m.Description, image: m.OGImage, href: "/api/open/nav/menus/" + m.PathSlug}
	})
}

// foundCategories is of all categories as the registry lists them.
func foundCategories(categories []domain.Category) searched {
	all := pointers(categories, every, func(a, b *domain.Category) int { return 0 })
	return foundAmong(query.KindCategory, domain.Describe(domain.KindCategory).Shape, all, func(c *domain.Category) hit {
		return hit{key: c.Key, title: c.Name, description: c.Description, href: "/api/open/categories"}
	})
}

// foundAmong is of few records that are in their order.
func foundAmong[R any](kind query.Kind, shape *domain.Shape, records []*R, tell func(*R) hit) searched {
	finding := func(number uint32) domain.Finding { return shape.Finding(records[number]) }
	standing := ranked(ascending[uint32](len(records)), len(records))
	return searched{
		kind: kind, order: func(locale.ID) *order { return &standing }, finding: finding,
		index: search.New(len(records), func(number uint32) search.Document { return search.Document(finding(number)) }),
		hit:   func(number uint32) hit { return tell(records[number]) },
	}
}

// maxSuggestions is how many labels are suggested where nothing is found.
const maxSuggestions = 5

// Search returns the body of a search over everything (docs/api.md#search-over-everything),
// and how many records it finds of all the kinds that were asked for.
func (s *Snapshot) Search(q query.Search) (body []byte, total int) {
	finds := found(s.kinds(q.Kinds), q.Terms)
	totals := make([]int, len(finds))
	for i, f := range finds {
		totals[i] = f.count(q.Locale)
		total += totals[i]
	}
	resolve := s.resolver(q.Locale)
	var w writer
	w.open('{')
	w.key("results")
	w.open('[')
	for of, number := range best(finds, q, total) {
		w.comma()
		of.encode(&w, number, q, resolve)
	}
	w.close(']')
	w.key("totals")
	w.open('{')
	for i, f := range finds {
		w.number(string(f.kind), float64(totals[i]))
	}
	w.close('}')
	var suggestions []string
	if total == 0 {
		suggestions = suggest(s.kinds(q.Kinds), q.Terms)
	}
	w.strings("didYouMean", suggestions)
	w.close('}')
	return w.buf, total
}

func (s *Snapshot) kinds(asked []query.Kind) []*searched {
	var kinds []*searched
	for i := range s.found {
		if slices.Contains(asked, s.found[i].kind) {
			kinds = append(kinds, &s.found[i])
		}
	}
	return kinds
}

// find is what a search finds of one kind.
type find struct {
	*searched
	set *roaring.Bitmap // nil for all
}

// count returns how many records were found.
func (f find) count(id locale.ID) int {
	if f.set == nil {
		return len(f.order(id).numbers)
	}
	return int(f.set.GetCardinality())
}

// found returns what terms find of each kind; none find all.
func found(kinds []*searched, terms []string) []find {
	finds := make([]find, len(kinds))
	for i, kind := range kinds {
		finds[i] = find{searched: kind}
		if len(terms) > 0 { // or the index counts numbers that no record has any more
			finds[i].set = kind.index.Find(terms)
		}
	}
	return finds
}

// best yields the records on the page of a search that finds total records at most, in the
// order of [parts]; in a part as the list of the kind has them.
func best(finds []find, q query.Search, total int) iter.Seq2[*searched, uint32] {
	return func(yield func(*searched, uint32) bool) {
		for p, numbers := range cut(parts(finds, q), q.Page, total) {
			for _, number := range numbers {
				if !yield(p.kind, number) {
					return
				}
			}
		}
	}
}

// parts yields what a search found: by class of relevance; in a class those that are put
// last behind the others; then by kind. Without terms there are no classes, and nothing is
// put last.
func parts(finds []find, q query.Search) iter.Seq[part] {
	return func(yield func(part) bool) {
		if len(q.Terms) == 0 {
			for _, f := range finds {
				if !yield(part{f.searched, f.order(q.Locale), f.set}) {
					return
				}
			}
			return
		}
		classes := make([]func() (*roaring.Bitmap, bool), len(finds))
		for i, f := range finds {
			next, stop := iter.Pull(f.index.Ranked(q.Terms, q.Phrase, f.set))
			defer stop()
			classes[i] = next
		}
		sets := make([][2]*roaring.Bitmap, len(finds))
		for {
			for i, next := range classes {
				set, ok := next()
				if !ok { // and so it is for all kinds
					return
				}
				sets[i] = halves(set, finds[i].demoted)
			}
			for half := range sets[0] {
				for i, f := range finds {
					if !yield(part{f.searched, f.order(q.Locale), sets[i][half]}) {
						return
					}
				}
			}
		}
	}
}

func (s *searched) encode(w *writer, number uint32, q query.Search, resolve func(domain.Text) string) {
	h := s.hit(number)
	title := cmp.Or(h.name, resolve(h.title))
	w.open('{')
	w.text("kind", string(s.kind))
	w.text("key", h.key)
	w.text("title", title)
	w.optional("description", resolve(h.description))
	w.optional("image", h.image)
	w.optional("url", h.url)
	w.text("href", h.href)
	w.optional("matched", matched(search.Document(s.finding(number)), title, q))
	w.close('}')
}

// matched returns the label that matched, "" where the title matches by itself, and
// where no single label does.
func matched(d search.Document, title string, q query.Search) string {
	if own, _ := search.Match(search.Document{Labels: []string{title}}, q.Terms, q.Phrase); own != 0 && len(q.Terms) > 0 {
		return ""
	}
	_, label := search.Match(d, q.Terms, q.Phrase)
	return label
}

// suggest returns labels of any of the kinds that terms may have meant, the nearest
// first.
func suggest(kinds []*searched, terms []string) []string {
	var all []search.Suggestion
	for _, kind := range kinds {
		all = append(all, kind.index.Suggest(terms, maxSuggestions)...)
	}
	slices.SortStableFunc(all, search.Suggestion.Compare)
	var labels []string
	for _, suggestion := range all {
		if len(labels) < maxSuggestions && !slices.Contains(labels, suggestion.Label) {
			labels = append(labels, suggestion.Label)
		}
	}
	return labels
}

// Called returns the key of the record of a kind that has what is searched for as its
// name, an alias or another whole label. Where several have it, it is the only one of those that no
// search puts last; "" where that is none, or several, too.
func (s *Snapshot) Called(kind query.Kind, name query.Search) string {
	if len(name.Terms) == 0 {
		return ""
	}
	of := s.kinds([]query.Kind{kind})[0]
	for named := range of.index.Ranked(name.Terms, name.Phrase, of.index.Find(name.Terms)) {
		for _, half := range halves(named, of.demoted) {
			switch half.GetCardinality() {
			case 0: // those that are put last may have it
			case 1:
				return of.hit(half.Minimum()).key
			default:
				return ""
			}
		}
		break // what is behind the first class has it in part
	}
	return ""
}

// Candidates returns the keys of up to five records of a kind that a name which is
// none may have meant, the likeliest first; nil where it has no term.
func (s *Snapshot) Candidates(kind query.Kind, name query.Search) []string {
	if len(name.Terms) == 0 {
		return nil
	}
	kinds := s.kinds([]query.Kind{kind})
	keys := firstKeys(kinds, name, maxSuggestions)
	known := len(keys) > 0
	more := func(key string) {
		if key != "" && len(keys) < maxSuggestions && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if kind == query.KindUser {
		more(s.users.near(name.Search))
	}
	if known {
		return keys
	}
	for _, label := range suggest(kinds, name.Terms) {
		for _, key := range firstKeys(kinds, query.ForLabel(label, name.Locale), 1) {
			more(key)
		}
	}
	return keys
}

// firstKeys returns the keys of the first n records that a search finds.
func firstKeys(kinds []*searched, q query.Search, n int) []string {
	q.Page = query.Page{Limit: n}
	var keys []string
	for of, number := range best(found(kinds, q.Terms), q, n) {
		keys = append(keys, of.hit(number).key)
	}
	return keys
}
