package trial

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Site is a process that serves the bundled catalogue on free addresses.
type Site struct {
	*Process
	API, Admin string // HOST:PORT
	binary     string
	store      string
}

// Serve starts a site with its store in dir, which it shares with others there.
func Serve(ctx context.Context, binary, dir string, flags ...string) (*Site, error) {
	api, err := FreeAddr()
	if err != nil {
		return nil, err
	}
	admin, err := FreeAddr()
	if err != nil {
		return nil, err
	}
	flags = append([]string{"--listen", api, "--admin-listen", admin, "--drain", "1s"}, flags...)
	p, err := Start(ctx, binary, dir, nil, flags...)
	return &Site{p, api, admin, binary, "sqlite:" + filepath.Join(dir, "vitrine-demo.db")}, err
}

// End ends the site; how it ends is not looked at.
func (s *Site) End() { _, _ = s.Terminate() }

// StoreFile returns the file of the store, in SQLite.
func (s *Site) StoreFile() string { return strings.TrimPrefix(s.store, "sqlite:") }

// Keys runs `vitrine keys` on the store of the site and returns what it prints.
func (s *Site) Keys(args ...string) (string, error) {
	command := exec.Command(s.binary, append([]string{"keys"}, append(args, "--store", s.store)...)...)
	var told strings.Builder
	command.Stderr = &told
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("vitrine keys %v: %w: %s", args, err, told.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// Answer is a response with its body.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Ask asks once; headers are names and values in turn.
func (s *Site) Ask(method, path string, headers ...string) (Answer, error) {
	r, err := http.NewRequest(method, "http://"+s.API+path, nil)
	if err != nil {
		return Answer{}, err
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return ask(r)
}

// asker neither unpacks nor follows anything.
var asker = &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}, Timeout: patience}

func ask(r *http.Request) (Answer, error) {
	resp, err := asker.Do(r)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return Answer{resp.StatusCode, resp.Header, body}, err
}

// Metric returns a metric by its name with the labels as they are written.
func (s *Site) Metric(name string) (float64, error) {
	r, err := http.NewRequest(http.MethodGet, "http://"+s.Admin+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	answer, err := ask(r)
	if err != nil {
		return 0, err
	}
	for lines := bufio.NewScanner(strings.NewReader(string(answer.Body))); lines.Scan(); {
		if value, found := strings.CutPrefix(lines.Text(), name+" "); found {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, fmt.Errorf("there is no metric %s", name)
}

// Await waits until a metric has a value and returns how long that took.
func (s *Site) Await(name string, value float64, longest time.Duration) (time.Duration, error) {
	return Until(longest, func() (bool, error) {
		got, err := s.Metric(name)
		return got == value, err
	})
}

// Until waits until something is so and returns how long that took.
func Until(longest time.Duration, is func() (bool, error)) (time.Duration, error) {
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		done, err := is()
		if took := time.Since(start); done || err != nil {
			return took, err
		} else if took > longest {
			return took, errors.New("it did not come about in " + longest.String())
		}
	}
}
