package follow_test

import (
	"context"
	crand "crypto/rand"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/store"
	"vitrine/internal/store/postgres"
	"vitrine/internal/store/sqlite"
)

// Each publish waits for the disk: a thousand take most of a minute.
var publishes = flag.Int("publishes", 20, "how many revisions TestPublishesUnderReaders publishes")

// TestPublishesUnderReaders publishes to a real store while readers check that
// every body belongs to exactly the revision that its header names.
func TestPublishesUnderReaders(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "store.db")
		publishUnderReaders(t, func(ctx context.Context) (store.Store, error) { return sqlite.Open(ctx, path) })
	})
	t.Run("postgres", func(t *testing.T) {
		dsn := postgresSchema(t)
		publishUnderReaders(t, func(ctx context.Context) (store.Store, error) { return postgres.Open(ctx, dsn) })
	})
}

// postgresSchema returns the DSN of a new schema, which is dropped when the test ends.
func postgresSchema(t *testing.T) string {
	t.Helper()
	dsn := os.Getenv("VITRINE_TEST_POSTGRES")
	if dsn == "" {
		t.Skip("NOT TESTED: set VITRINE_TEST_POSTGRES=postgres://user:password@host/database to a server on which to create and drop schemas")
	}
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal("VITRINE_TEST_POSTGRES is not a URL")
	}
	name := "vitrine_test_" + strings.ToLower(crand.Text())
	query := u.Query()
	query.Set("search_path", name)
	u.RawQuery = query.Encode()
	t.Cleanup(func() {
		db, err := sql.Open("pgx", dsn)
		if err != nil {
			t.Error(err)
			return
		}
		defer db.Close()
		if _, err := db.ExecContext(context.Background(), `DROP SCHEMA IF EXISTS `+name+` CASCADE`); err != nil {
			t.Error(err)
		}
	})
	return u.String()
}

func publishUnderReaders(t *testing.T, open follow.Opener) {
	const readers = 3
	s, err := open(t.Context())
	must(t, err)
	defer s.Close()
	small := func(number int) *domain.Catalog {
		c := numbered(number)
		c.Chains = c.Chains[:3]
		return c
	}
	publishNext(t, s, small(1))
	r := serveStore(t, follow.Config{Open: open})
	r.awaitRevision(1)

	var reading sync.WaitGroup
	done := make(chan struct{})
	for range readers {
		reading.Go(func() {
			for last := int64(0); ; {
				select {
				case <-done:
					return
				default:
				}
				for _, target := range []string{"meta", "chains", "chains?sort=name&limit=2", "nav/groups", "nav/groups/a"} {
					rec := httptest.NewRecorder()
					r.api.ServeHTTP(rec, httptest.NewRequest("GET", "/api/open/"+target, nil))
					number, err := wholly(rec.Result())
					if err != nil || rec.Code != 200 || number < last {
						t.Errorf("%s: status %d, revision %d after %d: %v", target, rec.Code, number, last, err)
						return
					}
					last = number
				}
			}
		})
	}
	for number := 2; number <= *publishes; number++ {
		publishNext(t, s, small(number))
		r.follower.Wake()
	}
	r.awaitRevision(int64(*publishes))
	close(done)
	reading.Wait()
}

// marked matches texts with a revision, but no member names.
var marked = regexp.MustCompile(`[ "]r[0-9]+\."`)

// wholly returns the revision of a response, and an error if a text is of another revision.
func wholly(resp *http.Response) (number int64, err error) {
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	header := resp.Header.Get("Catalog-Revision")
	if _, err := fmt.Sscan(header, &number); err != nil {
		return 0, fmt.Errorf("revision %q: %w", header, err)
	}
	mark := "r" + header + `."`
	all := len(marked.FindAllString(string(body), -1))
	own := strings.Count(string(body), " "+mark) + strings.Count(string(body), `"`+mark)
	if own == 0 || own != all {
		return 0, fmt.Errorf("%d of %d texts are of revision %s: %s", own, all, header, body)
	}
	return number, nil
}
