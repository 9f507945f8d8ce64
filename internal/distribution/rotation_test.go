package distribution_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/distribution"
)

// sign makes the publisher sign with a key, after a previous one; "" for none.
func (p *publisher) sign(key, previous string) {
	read := func(name string) *distribution.SigningKey {
		if name == "" {
			return nil
		}
		k, err := distribution.ReadSigningKey(filepath.Join(p.keys, name))
		must(p.t, err)
		return k
	}
	p.writer.Close()
	p.writer = distribution.NewWriter(distribution.WriterConfig{
		Dir: p.dir, Key: read(key), Previous: read(previous), Valid: time.Hour, Deltas: 4, Now: func() time.Time { return p.now },
	})
}

// TestRotation replaces the key twice. Readers, mirrors and restarted readers with the first key
// follow, and a stolen earlier key cannot replace the last one.
func TestRotation(t *testing.T) {
	p := newPublisher(t)
	for _, name := range []string{"second", "third", "evil"} {
		newKey(t, p.keys, name)
	}
	pin, dir := filepath.Join(t.TempDir(), "pin"), t.TempDir()
	keep := func(c *distribution.ReaderConfig) { c.Pin = pin }
	p.publish(chains("a"))
	r := p.reader(keep)
	r.want(p)
	for _, step := range [][2]string{{"second", "key"}, {"second", ""}, {"third", "second"}, {"third", "second"}, {"third", ""}} {
		p.sign(step[0], step[1])
		p.publish(chains("a", step[0]))
		r.want(p)
		again := p.reader(keep) // a restart
		again.want(p)
		fresh := p.reader()
		fresh.want(p)
		_, err := p.mirror(p.dir, dir).Copy(t.Context())
		must(t, err)
		p.wantMirror(dir)
		last, err := distribution.ParsePublicKey(filepath.Join(p.keys, step[0]+".pub"))
		must(t, err)
		if got := r.Key(); distribution.KeyText(got) != distribution.KeyText(last) {
			t.Errorf("after %v the reader trusts %s, want %s", step, distribution.KeyText(got), distribution.KeyText(last))
		}
		given := p.reader(func(c *distribution.ReaderConfig) { c.Key = last })
		given.want(p)
	}

	good := p.files()
	for name, key := range map[string][2]string{
		"the first key":                       {"key", ""},
		"the second key":                      {"second", ""},
		"a key that the first one introduces": {"evil", "key"},
	} {
		t.Run(name, func(t *testing.T) {
			thief := *p
			thief.t, thief.dir, thief.mirroring = t, t.TempDir(), nil
			s := serve(t, good)
			dir := t.TempDir()
			if _, err := p.mirror(s.URL+"/bulk", dir).Copy(t.Context()); err != nil {
				t.Fatal(err)
			}
			pinned := p.reader(keep, s.from)
			pinned.want(p)
			// The thief continues the distribution of the time of that key.
			thief.writer = distribution.NewWriter(distribution.WriterConfig{Dir: thief.dir, Valid: time.Hour, Now: func() time.Time { return p.now.Add(time.Hour) }})
			thief.sign(key[0], key[1])
			thief.past, thief.head = nil, p.head
			thief.publish(chains("evil"))
			s.files = distribution.Resigned(thief.files(), p.files()["entry.json"], thief.signing(key[0]), thief.statement(key))
			for range 2 {
				if err := pinned.look(); !errors.Is(err, distribution.ErrUnsigned) {
					t.Errorf("a reader accepts %s: %v", name, err)
				}
				pinned = p.reader(keep, s.from) // a restart
			}
			if _, err := p.mirror(s.URL+"/bulk", dir).Copy(t.Context()); !errors.Is(err, distribution.ErrUnsigned) {
				t.Errorf("a mirror accepts %s: %v", name, err)
			}
		})
	}
}

func (p *publisher) signing(name string) *distribution.SigningKey {
	k, err := distribution.ReadSigningKey(filepath.Join(p.keys, name))
	must(p.t, err)
	return k
}

// statement returns the statements of a thief with two keys, none for one.
func (p *publisher) statement(keys [2]string) func(catalogue string) []distribution.KeyStatement {
	return func(catalogue string) []distribution.KeyStatement {
		if keys[1] == "" {
			return nil
		}
		return []distribution.KeyStatement{distribution.Followed(p.signing(keys[1]), p.signing(keys[0]).Public(), catalogue)}
	}
}

// TestWriterKeepsRotation checks that a writer neither returns to an earlier key nor begins a chain
// that readers cannot follow.
func TestWriterKeepsRotation(t *testing.T) {
	p := newPublisher(t)
	newKey(t, p.keys, "second")
	newKey(t, p.keys, "other")
	p.publish(chains("a"))
	p.sign("second", "key")
	p.publish(chains("b"))
	for keys, remedy := range map[[2]string]string{
		{"key", ""}: " by --dist-key", {"key", "second"}: " by --dist-key", {"key", "other"}: " by --dist-key",
		{"other", ""}: " by --dist-previous-key", {"other", "key"}: " by --dist-previous-key", {"other", "other"}: " by --dist-previous-key",
	} {
		p.sign(keys[0], keys[1])
		_, err := p.writer.Write(t.Context(), p.head, nil, p.has)
		if !errors.Is(err, distribution.ErrRotation) || !strings.Contains(err.Error(), "secret key file") || !strings.HasSuffix(err.Error(), remedy) {
			t.Errorf("keys %v: %v", keys, err)
		}
	}
	r := p.reader()
	r.want(p)
}

// TestWriterKeepsSignature checks that a writer without a key does not replace a signed distribution, until
// the file that the error names is deleted.
func TestWriterKeepsSignature(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a"))
	r := p.reader()
	must(t, os.Remove(filepath.Join(p.dir, "entry.json.minisig"))) // a copy, which readers do not need
	p.unsigned()
	_, err := p.writer.Write(t.Context(), p.head, nil, p.has)
	signature := p.signature()
	if !errors.Is(err, distribution.ErrSigned) || !strings.Contains(err.Error(), "delete "+signature+" ") {
		t.Errorf("without a key: %v", err)
	}
	r.want(p)
	must(t, os.Remove(signature))
	p.write()
	p.write()
	if err := p.reader().look(); !errors.Is(err, distribution.ErrUnsigned) {
		t.Errorf("without a signature: %v", err)
	}
}

// signature returns the file with the signature of the pointer.
func (p *publisher) signature() string {
	pointer, err := os.ReadFile(filepath.Join(p.dir, "entry.json"))
	must(p.t, err)
	return filepath.Join(p.dir, "files", "entry-"+distribution.HexSum(pointer)+".minisig")
}

// unsigned begins with a new writer without a key.
func (p *publisher) unsigned() {
	p.writer.Close()
	p.writer = distribution.NewWriter(distribution.WriterConfig{
		Dir: p.dir, Valid: time.Hour, Deltas: 4, Fresh: true, Now: func() time.Time { return p.now },
	})
}
