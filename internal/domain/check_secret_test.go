package domain

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestShortcutsLeaveNothingOut checks that the cheap filters accept everything that the
// expressions match.
func TestShortcutsLeaveNothingOut(t *testing.T) {
	pieces := []string{
		"your", "my", "ADD", "insert", "-", "_", " ", "api", "API_KEY", "key", "KEY", "toKen", "ſecret", "to\u212aen", "id", "password", "credentials", "credential", "here",
		"${", "{", "{{", "}", "}}", "<", ">", "[", "]", "***", "xxxxxx", "XXXX", "…", "...", ":", "$", "a", "Z", "9", "公", "\x7f", "\n",
		"AKIA", "ASIA", "alcht_", "sk", "rk", "_live_", "_test_", "ghp_", "github_pat_", "glpat-", "bot", "12345", "xoxb-", "xapp-", "AIza", "eyJ", ".", "SG.", "sk-", "proj-",
		"npm_", "hf_", "dop_v1_", "shpat_", "pim_", "discord.com/api", "/webhooks/", "/", "-----BEGIN ", "PRIVATE KEY", "0123456789abcdef", "0123456789ABCDEF",
	}
	random := rand.New(rand.NewPCG(1, 2))
	templated, credentials := 0, 0
	for range 50_000 {
		var b strings.Builder
		for range random.IntN(6) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		s := b.String()
		template := templates.MatchString(s) || s == strings.ToUpper(s) && templateWords.MatchString(s)
		word := templateWords.MatchString(s) || templateNames.MatchString(s)
		if isTemplate(s) != template || isTemplateWord(s) != word {
			t.Errorf("isTemplate(%q) = %t, want %t; isTemplateWord = %t, want %t", s, isTemplate(s), template, isTemplateWord(s), word)
		}
		credential := false
		for _, c := range credentialFormats {
			credential = credential || c.form.MatchString(s)
		}
		if holdsCredential(s) != credential {
			t.Errorf("holdsCredential(%q) = %t, want %t", s, !credential, credential)
		}
		if template || word {
			templated++
		}
		if credential {
			credentials++
		}
	}
	if templated < 200 || credentials < 200 {
		t.Errorf("%d texts with places for values and %d with credentials show little", templated, credentials)
	}
}
