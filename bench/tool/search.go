package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"vitrine/bench/large"
	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// page is the number of requested accounts.
const page = 20

// compared is the output of the command search.
type compared struct {
	Accounts   int               `json:"accounts"`
	Rounds     int               `json:"rounds"`
	Problems   map[string]string `json:"problems"` // why an engine is missing
	Setup      map[string]string `json:"setup"`
	Classes    []classTimes      `json:"classes"`
	All        map[string]spread `json:"all"` // over the searches of all classes, by engine
	Worst      []worstTimes      `json:"worst"`
	Agreed     int               `json:"agreed"` // searches whose answers were compared, byte by byte
	BuildTimes map[string]string `json:"build"`
}

type classTimes struct {
	Name    string            `json:"name"`
	Matches int               `json:"matches"` // median of the searches
	Times   map[string]spread `json:"times"`   // by engine
	Slowest string            `json:"slowest"` // the search that Vitrine took longest for
}

type worstTimes struct {
	Name string `json:"name"`
	spread
	Values []string `json:"values"` // query strings
}

// engine is a search engine. page returns the body of the first page, best the page by the
// engine's own relevance, count the number of matches.
type engine interface {
	page(ctx context.Context, terms []string) ([]byte, error)
	best(ctx context.Context, terms []string) ([]byte, error)
	count(ctx context.Context, terms []string) (int, error)
	close() error
}

// document is one account in the databases.
type document struct {
	rank   int    // index in the order of the list
	folded string // all searchable texts, folded, one per line
	body   []byte // as in the list
}

// searches compares searches for one page in the same process: package snapshot, SQLite with
// FTS5, and PostgreSQL with pg_trgm.
func searches(ctx context.Context, args []string) (*compared, error) {
	flags := flag.NewFlagSet("search", flag.ContinueOnError)
	accounts := flags.Int("accounts", 200_000, "how many accounts")
	cards := flags.Int("cards", 20_000, "how many cards, for what searches everything")
	each := flags.Int("each", 100, "searches of each class")
	rounds := flags.Int("rounds", 5, "times that each search is measured")
	dir := flags.String("dir", "", "directory for the SQLite file")
	dsn := flags.String("postgres", "", "DSN; empty for none")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if *dir == "" || *rounds < 1 || *accounts < 1 {
		return nil, errors.New("search needs --dir, and at least one round and account")
	}
	c, err := large.Catalog(ctx, *accounts, 0)
	if err != nil {
		return nil, err
	}
	large.AddCards(c, *cards)
	s, err := snapshot.Compile(nil, c, snapshot.Revision{Number: 1})
	if err != nil {
		return nil, err
	}
	s.Finish()
	documents, err := ranked(s, c)
	if err != nil {
		return nil, err
	}
	result := &compared{
		Accounts: *accounts, Rounds: *rounds, Problems: map[string]string{}, Setup: map[string]string{},
		All: map[string]spread{}, BuildTimes: map[string]string{},
	}
	m := &matches{result: result, snapshot: s, rounds: *rounds}
	defer m.close()
	m.add("sqlite", func() (engine, string, error) { return openSQLite(ctx, *dir, documents) })
	m.add("postgres", func() (engine, string, error) { return openPostgres(ctx, *dsn, documents) })
	runtime.GC() // frees the memory of filling the databases

	if err := m.compare(ctx, classes(c.Accounts, *each)); err != nil {
		return nil, err
	}
	return result, m.worst(worstClasses(c.Accounts))
}

// ranked returns the accounts in the order of the list, in encoded form.
func ranked(s *snapshot.Snapshot, c *domain.Catalog) ([]document, error) {
	var list struct {
		Users []json.RawMessage `json:"users"`
	}
	if err := json.Unmarshal(s.List(query.List{Kind: query.KindUser}).Body(), &list); err != nil {
		return nil, err
	}
	folded := make(map[string]string, len(c.Accounts))
	for i := range c.Accounts {
		a := c.Accounts[i]
		texts := []string{fold.Text(a.Handle), fold.Text(a.Name)}
		for _, d := range a.Description {
			texts = append(texts, fold.Text(d.Value))
		}
		folded[a.Handle] = strings.Join(texts, "\n")
	}
	documents := make([]document, len(list.Users))
	for i, body := range list.Users {
		var key struct {
			Handle string `json:"handle"`
		}
		if err := json.Unmarshal(body, &key); err != nil {
			return nil, err
		}
		documents[i] = document{i + 1, folded[key.Handle], body}
	}
	return documents, nil
}

// matches has the contestants of a comparison.
type matches struct {
	result   *compared
	snapshot *snapshot.Snapshot
	rounds   int
	names    []string
	engines  []engine
}

// add opens an engine, or records why it is missing.
func (m *matches) add(name string, open func() (engine, string, error)) {
	start := time.Now()
	e, setup, err := open()
	if err != nil {
		fmt.Fprintf(os.Stderr, "tool: no %s: %v\n", name, err)
		m.result.Problems[name] = err.Error()
		return
	}
	m.result.Setup[name] = setup
	m.result.BuildTimes[name] = time.Since(start).Round(time.Millisecond).String()
	m.names, m.engines = append(m.names, name), append(m.engines, e)
}

func (m *matches) close() {
	for i, e := range m.engines {
		if err := e.close(); err != nil {
			fmt.Fprintf(os.Stderr, "tool: close %s: %v\n", m.names[i], err)
		}
	}
}

// users performs a search like the API: it parses the query string, makes the page and counts all
// matches.
func (m *matches) users(raw string) (body []byte, total int, err error) {
	q, err := query.ParseList(query.KindUser, raw, m.snapshot.Locales())
	if err != nil {
		return nil, 0, err
	}
	part := m.snapshot.List(q)
	return part.Body(), part.Total, nil
}

// compare checks that all contestants return the same, and then measures them in turns.
func (m *matches) compare(ctx context.Context, all []class) error {
	everything := map[string][][]time.Duration{}
	for _, of := range all {
		totals, err := m.agree(ctx, of)
		if err != nil {
			return err
		}
		times, err := m.measure(ctx, of.values)
		if err != nil {
			return err
		}
		row := classTimes{Name: of.name, Matches: median(totals), Times: map[string]spread{}}
		for name, t := range times {
			row.Times[name] = summed(t)
			everything[name] = append(everything[name], t...)
		}
		row.Slowest = of.values[slowest(times["vitrine"])]
		m.result.Classes = append(m.result.Classes, row)
	}
	for name, t := range everything {
		m.result.All[name] = summed(t)
	}
	return nil
}

// agree compares pages and totals, and returns the totals.
func (m *matches) agree(ctx context.Context, of class) ([]int, error) {
	var totals []int
	for _, q := range of.values {
		want, all, err := m.users(raw(q))
		if err != nil {
			return nil, err
		}
		totals = append(totals, all)
		for i, e := range m.engines {
			body, err := e.page(ctx, fold.Terms(q))
			if err != nil {
				return nil, fmt.Errorf("%s, %q: %w", m.names[i], q, err)
			}
			if !bytes.Equal(body, want) {
				return nil, fmt.Errorf("%s answers %q otherwise:\n%.300s\nwant\n%.300s", m.names[i], q, body, want)
			}
			total, err := e.count(ctx, fold.Terms(q))
			if err != nil {
				return nil, fmt.Errorf("%s, %q: %w", m.names[i], q, err)
			}
			if total != all {
				return nil, fmt.Errorf("%s counts %d of %q, want %d", m.names[i], total, q, all)
			}
		}
		m.result.Agreed++
	}
	return totals, nil
}

// contestant is one way to answer searches.
type contestant struct {
	name   string
	answer func(q string) error
}

// contestants returns all contestants. The databases have three: for only the page, with the
// count that Vitrine includes, and by relevance.
func (m *matches) contestants(ctx context.Context) []contestant {
	users := func(more string) func(string) error {
		return func(q string) error {
			_, _, err := m.users(raw(q) + more)
			return err
		}
	}
	all := []contestant{
		{"vitrine", users("")},
		{"vitrine relevance", users("&sort=relevance")},
		{"vitrine facets", users("&facets=1")},
		{"vitrine everything", m.everything},
	}
	for n, e := range m.engines {
		all = append(all,
			contestant{m.names[n] + " page", func(q string) error {
				_, err := e.page(ctx, fold.Terms(q))
				return err
			}},
			contestant{m.names[n] + " page and count", func(q string) error {
				if _, err := e.page(ctx, fold.Terms(q)); err != nil {
					return err
				}
				_, err := e.count(ctx, fold.Terms(q))
				return err
			}},
			contestant{m.names[n] + " relevance", func(q string) error {
				_, err := e.best(ctx, fold.Terms(q))
				return err
			}},
		)
	}
	return all
}

// everything searches all kinds of records.
func (m *matches) everything(q string) error {
	asked, err := query.ParseSearch(raw(q), m.snapshot.Locales())
	if err != nil {
		return err
	}
	snapshot.Encode(m.snapshot.SearchView(asked))
	return nil
}

// measure returns the times of each search by contestant. Contestants take turns.
func (m *matches) measure(ctx context.Context, values []string) (map[string][][]time.Duration, error) {
	times := map[string][][]time.Duration{}
	contestants := m.contestants(ctx)
	for _, c := range contestants {
		times[c.name] = make([][]time.Duration, len(values))
	}
	for range m.rounds {
		for _, c := range contestants {
			for i, q := range values {
				start := time.Now()
				if err := c.answer(q); err != nil {
					return nil, err
				}
				times[c.name][i] = append(times[c.name][i], time.Since(start))
			}
		}
	}
	return times, nil
}

// worst measures the most expensive searches.
func (m *matches) worst(all []class) error {
	for _, of := range all {
		times := make([][]time.Duration, len(of.values))
		for range m.rounds {
			for i, raw := range of.values {
				start := time.Now()
				if _, _, err := m.users(raw); err != nil {
					return fmt.Errorf("%s: %w", raw, err)
				}
				times[i] = append(times[i], time.Since(start))
			}
		}
		m.result.Worst = append(m.result.Worst, worstTimes{of.name, summed(times), of.values})
	}
	return nil
}
