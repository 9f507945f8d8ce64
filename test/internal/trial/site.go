package trial

import (
	"bufio"
	"context"
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

// Serve starts a site with its store in dir, which other sites may share.
func Serve(binary, dir string, flags ...string) *Site {
	addrs := FreeAddrs(2)
	flags = append([]string{"--listen", addrs[0], "--admin-listen", addrs[1], "--drain", "1s"}, flags...)
	p := Start(context.Background(), binary, dir, nil, flags...)
	return &Site{p, addrs[0], addrs[1], binary, "sqlite:" + filepath.Join(dir, "vitrine-demo.db")}
}

// End ends the site and ignores errors.
func (s *Site) End() { _, _ = s.Terminate() }

// StoreFile returns the path of the SQLite store.
func (s *Site) StoreFile() string { return strings.TrimPrefix(s.store, "sqlite:") }

// Keys runs `vitrine keys` on the store of the site and returns its output.
func (s *Site) Keys(args ...string) (string, error) {
	return Command(s.binary, append([]string{"keys"}, append(args, "--store", s.store)...)...)
}

// Command runs a command of the binary for up to five minutes, and returns its trimmed standard
// output.
func Command(binary string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, binary, args...)
	var said strings.Builder
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("vitrine %v: %w: %s", args, err, said.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// Answer is a response with its body.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Ask is TryAsk that ends the trial on an error.
func (s *Site) Ask(method, path string, headers ...string) Answer {
	return Must(s.TryAsk(method, path, headers...))
}

// TryAsk sends one request; headers alternate names and values.
func (s *Site) TryAsk(method, path string, headers ...string) (Answer, error) {
	r, err := http.NewRequest(method, "http://"+s.API+path, nil)
	if err != nil {
		return Answer{}, err
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	resp, err := asker.Do(r)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return Answer{resp.StatusCode, resp.Header, body}, err
}

// asker neither decodes responses nor follows redirects.
var asker = &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}, Timeout: patience}

// Metric returns the value of a metric, given by its name with labels as written.
func (s *Site) Metric(name string) float64 {
	value, ok := Must(Metrics(s.Admin))[name]
	if !ok {
		Failf("there is no metric %s", name)
	}
	return value
}

// Await waits until a metric has a value and returns how long that took.
func (s *Site) Await(name string, value float64, longest time.Duration) (time.Duration, error) {
	return Until(longest, func() bool { return s.Metric(name) == value })
}

// Metrics returns the metrics of an admin listener by series with labels, without the buckets of
// histograms.
func Metrics(admin string) (map[string]float64, error) {
	response, err := asker.Get("http://" + admin + "/metrics")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the metrics of %s: %s", admin, response.Status)
	}
	metrics := map[string]float64{}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), " ")
		if n, err := strconv.ParseFloat(value, 64); err == nil && name != "#" && !strings.Contains(name, "_bucket{") {
			metrics[name] = n
		}
	}
	return metrics, lines.Err()
}
