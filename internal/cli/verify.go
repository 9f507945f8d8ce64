package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/operations"
	"vitrine/internal/snapshot"
	"vitrine/internal/sources"
	"vitrine/internal/upstream"
)

// verifyCmd compares a live service with what it should serve (docs/monitoring.md#from-outside).
type verifyCmd struct {
	URL          string `arg:"" help:"Address of the service, such as https://api.example.org."`
	Revision     int64  `placeholder:"N" help:"Revision that the service should serve (default: any)." env:"-"`
	Catalog      string `placeholder:"DIR" help:"Catalogue whose responses the service should return: a directory, a revision of the store, or a git ref (default: none)." env:"-"`
	MaxAge       int    `placeholder:"DAYS" help:"Maximum age of the newest figure of each name and source (default: any)." env:"-"`
	Samples      int    `default:"40" placeholder:"N" help:"Responses to compare (default ${default})." env:"-"`
	AllowPrivate bool   `help:"Allow the service to have a private address." env:"-"`
	Format       string `enum:"text,json" default:"text" help:"Output format: ${enum}." env:"-"`
	storeFlag
}

// verified is what verify prints with `--format json`.
type verified struct {
	Revision    int64                `json:"revision"`
	PublishedAt string               `json:"publishedAt"`
	Compared    int                  `json:"compared"` // responses
	Figures     []snapshot.FigureAge `json:"figures"`
	Reasons     []string             `json:"reasons"` // why the service is not as expected
}

func (v *verified) reason(format string, args ...any) {
	v.Reasons = append(v.Reasons, printable(fmt.Sprintf(format, args...)))
}

// Run prints what is not as expected. The status is 1 if there is anything.
func (c *verifyCmd) Run(ctx context.Context, to streams) error {
	if err := c.valid(); err != nil {
		return could{err}
	}
	var compare []sample
	if c.Catalog != "" {
		read, err := readOperand(ctx, c.storeFlag, c.Catalog, c.Catalog, to)
		if err != nil {
			return err
		}
		expected, err := snapshot.Compile(nil, read.catalog, snapshot.Revision{Number: 1, PublishedAt: time.Now()})
		if err != nil {
			return could{err}
		}
		compare = samples(expected, read.catalog, c.Samples)
	}
	const most = 16 << 20
	client := upstream.New(upstream.Options{UserAgent: userAgent(), MaxBytes: most, AllowPrivate: c.AllowPrivate})
	defer client.Close()
	get := func(path string) ([]byte, error) {
		document, err := client.Get(ctx, upstream.Request{URL: strings.TrimRight(c.URL, "/") + path})
		if err != nil {
			return nil, err
		}
		return document.Body, nil
	}
	var found verified
	c.verify(&found, compare, get)
	if err := printed(c.print(to.out, found)); err != nil {
		return err
	}
	if len(found.Reasons) > 0 {
		return exit(statusFailed)
	}
	return nil
}

// valid returns an error that names the first wrong argument.
func (c *verifyCmd) valid() error {
	switch {
	case hostless(c.URL):
		return fmt.Errorf("the address %q has no host; write one such as https://api.example.org", c.URL)
	case !sources.IsAddress(c.URL) && strings.Contains(c.URL, "://"):
		return fmt.Errorf("the address %q is not an http or https URL; write one", c.URL)
	case !sources.IsAddress(c.URL):
		return fmt.Errorf("the address %q has no scheme; write http://%s or https://%[2]s", c.URL, printable(c.URL))
	case c.Samples < 1:
		return fmt.Errorf("--samples is %d; write 1 or more", c.Samples)
	case c.MaxAge < 0:
		return fmt.Errorf("--max-age is %d; write 0 or more", c.MaxAge)
	case c.Revision < 0:
		return fmt.Errorf("--revision is %d; write 0 or more", c.Revision)
	}
	return nil
}

// hostless reports whether an http or https URL has no host.
func hostless(address string) bool {
	u, err := url.Parse(address)
	return sources.IsAddress(address) && (err != nil || u.Hostname() == "")
}

// verify adds to found what the service says, and what is wrong with it. get requests a path.
func (c *verifyCmd) verify(found *verified, compare []sample, get func(path string) ([]byte, error)) {
	meta, err := metaOf(get)
	if err != nil {
		if errors.Is(err, upstream.ErrPrivate) {
			found.reason("nothing was requested: %v; pass --allow-private if it is yours", err)
			return
		}
		found.reason("the service does not describe itself: %v", err)
		return
	}
	found.Revision, found.PublishedAt, found.Figures = meta.Revision, meta.PublishedAt, meta.Figures
	if c.Revision != 0 && meta.Revision != c.Revision {
		found.reason("the service serves revision %d, not %d", meta.Revision, c.Revision)
	}
	c.verifyAge(found, time.Now())
	differing := len(found.Reasons)
	for _, s := range compare {
		body, err := get(s.path)
		found.Compared++
		if err != nil {
			found.reason("%s: %v", s.path, err)
		} else if text := firstDifference(s.body, body); text != "" {
			found.reason("%s: %s", s.path, text)
		}
	}
	if len(found.Reasons) == differing {
		return
	}
	if again, err := metaOf(get); err == nil && again.Revision != meta.Revision {
		found.reason("revision %d was published during the comparison; run the command again", again.Revision)
	}
}

func metaOf(get func(string) ([]byte, error)) (snapshot.Meta, error) {
	var meta snapshot.Meta
	body, err := get("/api/open/meta")
	if err == nil {
		err = json.Unmarshal(body, &meta)
	}
	if err == nil && meta.Revision == 0 {
		err = errors.New("/api/open/meta has no revision")
	}
	return meta, err
}

// verifyAge adds the figures that are too old.
func (c *verifyCmd) verifyAge(found *verified, now time.Time) {
	if c.MaxAge == 0 {
		return
	}
	oldest := domain.DateOf(now.AddDate(0, 0, -c.MaxAge))
	for _, f := range found.Figures {
		if f.Newest != "" && f.Newest < oldest {
			found.reason("the newest %s of %s is of %s, more than %d days ago", f.Figure, f.Source, f.Newest, c.MaxAge)
		}
	}
}

// sample is a request with the expected body.
type sample struct {
	path string
	body []byte
}

// samples returns at most n requests: documents and the beginnings of lists, then records of all
// kinds in turn, spread over their keys and the locales. They are the same for the same catalogue.
func samples(s *snapshot.Snapshot, c *domain.Catalog, n int) []sample {
	type request struct {
		path string // up to the parameter locale
		body func(locale.ID) []byte
	}
	var requests, records []request
	for _, op := range operations.ComparedOperations() {
		switch {
		case op.Name == "getMeta": // compared apart
		case op.Record != "":
			for _, key := range slices.Sorted(slices.Values(domain.Named(string(op.Record)).Addresses(c))) {
				records = append(records, request{op.PathOf(key) + "?", func(id locale.ID) []byte {
					body, _ := op.RecordBody(s, key, id)
					return body
				}})
			}
		case op.Takes("limit"):
			requests = append(requests, request{op.Path + "?limit=20&", func(id locale.ID) []byte { return op.Body(s, "limit=20", id) }})
		case op.Requests()[0] == "":
			requests = append(requests, request{op.Path + "?", func(id locale.ID) []byte { return op.Body(s, "", id) }})
		}
	}
	spread := min(max(1, n-len(requests)), len(records))
	for i := range spread {
		requests = append(requests, records[i*len(records)/spread])
	}
	ids := []locale.ID{s.Locales().Default()}
	for i := range s.Locales().Len() {
		if id := locale.ID(i); id != ids[0] {
			ids = append(ids, id)
		}
	}
	all := []sample{}
	for i, r := range requests[:min(n, len(requests))] {
		id := ids[i%len(ids)]
		all = append(all, sample{r.path + "locale=" + s.Locales().Name(id), r.body(id)})
	}
	return all
}

// firstDifference describes the first difference of two bodies, "" if they are equal.
func firstDifference(want, got []byte) string {
	if bytes.Equal(want, got) {
		return ""
	}
	const around = 40
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	part := func(b []byte) []byte { return b[max(0, min(at, len(b))-around):min(len(b), at+around)] }
	return fmt.Sprintf("differs from byte %d on: expected %q, got %q", at, part(want), part(got))
}

func (c *verifyCmd) print(to io.Writer, found verified) error {
	if c.Format == "json" {
		return writeJSON(to, found)
	}
	var out strings.Builder
	if found.Revision != 0 { // the service describes itself
		compared := grouped(found.Compared) + " responses compared"
		if c.Catalog == "" {
			compared = "no responses were compared: add --catalog DIR to compare them"
		}
		fmt.Fprintf(&out, "revision %d of %s; %s\n", found.Revision, found.PublishedAt, compared)
	}
	for _, f := range found.Figures {
		if f.Newest != "" {
			fmt.Fprintf(&out, "%s of %s: newest of %s\n", f.Figure, printable(f.Source), f.Newest)
		}
	}
	for _, r := range found.Reasons {
		fmt.Fprintf(&out, "not as expected: %s\n", r)
	}
	if len(found.Reasons) == 0 {
		fmt.Fprintln(&out, "as expected")
	}
	_, err := io.WriteString(to, out.String())
	return err
}
