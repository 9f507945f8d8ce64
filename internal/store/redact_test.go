package store_test

import (
	"strings"
	"testing"

	"vitrine/internal/store"
)

func TestRedactDSN(t *testing.T) {
	for dsn, want := range map[string]string{
		"":                                                 "",
		"sqlite:vitrine.db":                                "sqlite:vitrine.db",
		"sqlite:/a:b@c/vitrine.db":                         "sqlite:/a:b@c/vitrine.db",
		"postgres://host/db":                               "postgres://host/db",
		"postgres://user@host:5432/db":                     "postgres://user@host:5432/db",
		"postgres://user:secret@host/db":                   "postgres://user:***@host/db",
		"postgresql://user:secret@host/db":                 "postgresql://user:***@host/db",
		"POSTGRES://user:secret@host/db":                   "POSTGRES://user:***@host/db",
		"postgres://user:@host/db":                         "postgres://user:***@host/db",
		"postgres://:secret@host/db":                       "postgres://:***@host/db",
		"postgres://u:a@b:c/d?e#f@host/db":                 "postgres://u:***@host/db",
		"postgres://u:secret@h1:1,h2:2/db?sslmode=require": "postgres://u:***@h1:1,h2:2/db?sslmode=require",
		"postgres://host/db?user=u&password=secret&a=b":    "postgres://host/db?user=u&password=***&a=b",
		"postgres://host/db?sslpassword=secret":            "postgres://host/db?sslpassword=***",
		"postgres://host/db?p%61ssword=secret":             "postgres://host/db?p%61ssword=***",
		"host=h password=secret dbname=d":                  "host=h password=*** dbname=d",
		`host=h password='se cr\'et' dbname=d`:             "host=h password=*** dbname=d",
		"host=h PASSWORD = secret":                         "host=h PASSWORD = ***",
		"password='secret":                                 "password=***",
	} {
		if got := store.RedactDSN(dsn); got != want {
			t.Errorf("RedactDSN(%q) = %q, want %q", dsn, got, want)
		}
	}
}

func FuzzRedactDSN(f *testing.F) {
	f.Add("postgres", "user", "secret", "host/db")
	f.Add("postgres", "u", "a@b:c/d?password=e", "h?x=@y")
	f.Fuzz(func(t *testing.T, scheme, user, password, rest string) {
		if strings.ContainsAny(scheme, ":/") || strings.ContainsAny(user, ":@/?#") {
			return
		}
		secret := "s3cr3t" + password + "s3cr3t"
		if got := store.RedactDSN(scheme + "://" + user + ":" + secret + "@" + rest); strings.Contains(got, "s3cr3t") && !strings.Contains(user+scheme+rest, "s3cr3t") {
			t.Errorf("%q is in %q", secret, got)
		}
	})
}
