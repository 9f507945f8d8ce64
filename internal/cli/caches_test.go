package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPurgeRequest checks the request of a purge, and that its error contains no secret.
func TestPurgeRequest(t *testing.T) {
	status := http.StatusNoContent
	var got string
	cache := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		must(t, err)
		got = strings.Join([]string{r.Method, r.URL.String(), r.Header.Get("Fastly-Key"), r.Header.Get("Content-Type"), string(body)}, " ")
		w.WriteHeader(status)
	}))
	defer cache.Close()
	file := filepath.Join(t.TempDir(), "header")
	must(t, os.WriteFile(file, []byte("fastly-key: of-file\n"), 0o600))
	t.Setenv("VITRINE_PURGE_HEADER", "Fastly-Key: of-variable")
	for _, tt := range []struct {
		flags cacheFlags
		want  string
	}{
		{cacheFlags{PurgeMethod: "POST", PurgeBody: `{"tags":["catalogue"]}`}, `POST /purge?of=url of-variable application/json {"tags":["catalogue"]}`},
		{cacheFlags{PurgeMethod: "BAN", PurgeHeaderFile: file}, "BAN /purge?of=url of-file  "},
	} {
		tt.flags.PurgeURL = cache.URL + "/purge?of=url"
		purge, err := tt.flags.purge()
		must(t, err)
		status = http.StatusNoContent
		if err := purge(t.Context()); err != nil || got != tt.want {
			t.Errorf("%v, request %q, want %q", err, got, tt.want)
		}
		status = http.StatusForbidden
		if err := purge(t.Context()); err == nil || !strings.Contains(err.Error(), "403 Forbidden") || strings.Contains(err.Error(), "of-") || strings.Contains(err.Error(), "of=") {
			t.Errorf("%v, want the status without secrets", err)
		}
	}
}

// TestPurgeHeaderFaults checks that errors about the secret header do not contain it.
func TestPurgeHeaderFaults(t *testing.T) {
	for _, line := range []string{
		"hunter2", ": hunter2", "Fastly Key: hunter2", "Fastly-Key:", "A: hunter2\nB: hunter2", "A: hunter2\x00", "A: " + strings.Repeat("hunter2", 1<<12), " \n",
	} {
		file := filepath.Join(t.TempDir(), "header")
		must(t, os.WriteFile(file, []byte(line), 0o600))
		_, err := (&cacheFlags{PurgeURL: "http://localhost", PurgeMethod: "POST", PurgeHeaderFile: file}).purge()
		if err == nil || !strings.Contains(err.Error(), "--purge-header-file") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%.40q: %v", line, err)
		}
	}
	_, err := (&cacheFlags{PurgeURL: "http://localhost", PurgeHeaderFile: filepath.Join(t.TempDir(), "none")}).purge()
	if err == nil || !strings.Contains(err.Error(), "--purge-header-file") {
		t.Errorf("a missing file: %v", err)
	}
}

// TestCacheFlagFaults checks that the server does not start with bad values.
func TestCacheFlagFaults(t *testing.T) {
	for want, args := range map[string][]string{
		`--cache-tags must be one of "off","cache-tag","surrogate-key"`:      {"--cache-tags", "all"},
		`--purge-method must be one of "POST","PUT","DELETE","PURGE","BAN"`:  {"--purge-url", "http://localhost", "--purge-method", "GET"},
		"--purge-url is not an http or https URL":                            {"--purge-url", "ftp://localhost/hunter2"},
		"--purge-body and --purge-header-file need --purge-url":              {"--purge-body", "hunter2"},
		"--purge-header-file or VITRINE_PURGE_HEADER is not one line NAME: ": {"--purge-url", "http://localhost", "--purge-header-file", os.DevNull},
	} {
		dsn := "sqlite:" + filepath.Join(t.TempDir(), "store.db")
		status, out := runCommand(append([]string{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--store", dsn}, args...)...)
		if status == 0 || !strings.Contains(out, want) || strings.Contains(out, "hunter2") {
			t.Errorf("%q: status %d, output %s, want %q", args, status, out, want)
		}
	}
}
