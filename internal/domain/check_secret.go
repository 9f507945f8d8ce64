package domain

import (
	"cmp"
	"math/bits"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// credentialFormats are the recognisable formats of keys and tokens. Each begins with or contains
// a mark, which is cheap to search for.
var credentialFormats = []struct {
	mark string
	form *regexp.Regexp
}{
	{"AKIA", regexp.MustCompile(`\bAKIA[0-9A-Z]{16}\b`)}, // Amazon Web Services
	{"ASIA", regexp.MustCompile(`\bASIA[0-9A-Z]{16}\b`)},
	{"alcht_", regexp.MustCompile(`\balcht_[0-9A-Za-z_-]{16,}`)},          // Alchemy
	{"_live_", regexp.MustCompile(`\b(?:sk|rk|pk)_live_[0-9A-Za-z]{4,}`)}, // Stripe and others that follow it
	{"_test_", regexp.MustCompile(`\b(?:sk|rk)_test_[0-9A-Za-z]{4,}`)},
	{"gh", regexp.MustCompile(`\bgh[pousr]_[0-9A-Za-z]{20,}`)},
	{"github_pat_", regexp.MustCompile(`\bgithub_pat_[0-9A-Za-z_]{20,}`)},
	{"glpat-", regexp.MustCompile(`\bglpat-[\w-]{16,}`)},
	{"bot", regexp.MustCompile(`\bbot[0-9]{5,}:[\w-]{8,}`)}, // Telegram
	{"xox", regexp.MustCompile(`\bxox[abeoprs]-[0-9A-Za-z-]{10,}`)},
	{"xapp-", regexp.MustCompile(`\bxapp-[0-9A-Za-z-]{10,}`)},
	{"AIza", regexp.MustCompile(`\bAIza[\w-]{30,}`)},
	{"eyJ", regexp.MustCompile(`\beyJ[\w-]{8,}\.eyJ[\w-]{8,}`)}, // a JSON Web Token
	{"SG.", regexp.MustCompile(`\bSG\.[\w-]{16,}\.[\w-]{16,}`)},
	{"sk-", regexp.MustCompile(`\bsk-(?:(?:proj|ant|svcacct|admin|or)-[\w-]{20,}|[0-9A-Za-z]{32,})`)},
	{"npm_", regexp.MustCompile(`\bnpm_[0-9A-Za-z]{30,}`)},
	{"hf_", regexp.MustCompile(`\bhf_[0-9A-Za-z]{30,}`)},
	{"dop_v1_", regexp.MustCompile(`\bdop_v1_[0-9a-f]{32,}`)},
	{"shpat_", regexp.MustCompile(`\bshpat_[0-9a-f]{32}`)},
	{"pim_", regexp.MustCompile(`\bpim_[0-9A-Za-z]{16,}`)},
	{"/webhooks/", regexp.MustCompile(`\bdiscord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/[0-9]+/[\w-]{20,}`)},
	{"PRIVATE KEY", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY`)},
}

// markStarts has, for the first two bytes of marks, a bit for each of the credentialFormats with
// that byte there.
var markStarts = func() (starts [2][256]uint32) {
	for i, c := range credentialFormats {
		starts[0][c.mark[0]] |= 1 << i
		starts[1][c.mark[1]] |= 1 << i
	}
	return starts
}()

// holdsCredential reports whether s contains a key or token of a known format. It scans s once
// for all marks.
func holdsCredential(s string) bool {
	tried := uint32(0)
	for i := 0; i+1 < len(s); i++ {
		for left := markStarts[0][s[i]] & markStarts[1][s[i+1]] &^ tried; left != 0; left &= left - 1 {
			n := bits.TrailingZeros32(left)
			c := credentialFormats[n]
			if !strings.HasPrefix(s[i:], c.mark) {
				continue
			}
			if c.form.MatchString(s) {
				return true
			}
			tried |= 1 << n
		}
	}
	return false
}

// providerHosts are domains of API hosts with a customer's key as a path segment or host label.
// If a provider also has pages below a domain, the list has the subdomain of the API.
var providerHosts = domainsFor(map[string][]string{"": {
	"1rpc.io", "alchemyapi.io", "allthatnode.com", "api.developer.coinbase.com", "api.pimlico.io", "api.unifra.io", "api.zan.top",
	"biconomy.io", "blastapi.io", "blockpi.network", "blxrbdn.com", "candide.dev", "chainbase.online", "chainnodes.org",
	"core.chainstack.com", "datahub.figment.io", "drpc.live", "dwellir.com", "endpoints.omniatech.io", "g.alchemy.com", "gateway.pokt.network",
	"gateway.tatum.io", "gateway.tenderly.co", "getblock.io", "grove.city", "helius-rpc.com", "helius.xyz", "hooks.slack.com", "hypersync.xyz", "infstones.com",
	"infura.io", "lava.build", "lavanet.xyz", "lb.drpc.org", "moralis-nodes.com", "nodereal.cc", "nodereal.io", "nodes.sequence.app", "nodies.app", "nodit.io",
	"nownodes.io", "onfinality.io", "p2pify.com", "publicnode.com", "quiknode.pro", "rivet.cloud", "rockx.com", "rpc.ankr.com", "rpc.gateway.fm",
	"rpc.subquery.network", "rpc.tenderly.co", "rpc.thirdweb.com", "rpcpool.com", "rpc.zerodev.app", "spectrumnodes.com", "speedy-nodes-nyc.moralis.io",
	"stackup.sh", "svc.blockdaemon.com", "syndica.io", "t.conduit.xyz", "therpc.io", "unifra.io", "validationcloud.io", "zeeve.net",
}})

// isWithin reports whether a host is a domain or a subdomain of it.
func isWithin(host, domain string) bool {
	return strings.HasSuffix(host, domain) && (len(host) == len(domain) || host[len(host)-len(domain)-1] == '.')
}

// secretNames are suffixes of names of parameters that are keys or passwords in any link, without
// dashes and underscores. Those of vagueNames have other meanings, too: a coin, a document.
var (
	secretNames = []string{
		"accesskey", "accesstoken", "apikey", "apisecret", "apitoken", "appkey", "authkey", "authorization", "authtoken", "bearer", "clientsecret",
		"dkey", "gatewaytoken", "jwt", "mnemonic", "passphrase", "passwd", "password", "privatekey", "projectsecret", "pwd", "secret", "secretkey", "sessiontoken",
	}
	vagueNames = []string{"auth", "key", "token"}
	// roleNames may name keys, like vagueNames. They count only if the value has the shape of a
	// key.
	roleNames = []string{"access", "k"}
	// publicNames are names with such suffixes that are not secrets.
	publicNames = []string{"publickey", "pubkey"}
	// authSchemes are the prefixes of Authorization values.
	authSchemes = []string{"apikey", "basic", "bearer", "token"}
	// openValues are public values of such parameters.
	openValues = []string{"anonymous", "demo", "free", "guest", "none", "open", "public", "test", "true", "false"}
)

// maxNested bounds the nesting of links in parameters of links.
const maxNested = 2

// secretTraits returns the traits of the secrets in a link, most certain first.
func secretTraits(u *url.URL, parts linkParts, depth int) []trait {
	var found []trait
	if holdsCredential(unescaped(u.String())) {
		found = append(found, trait{what: credential})
	}
	if provider := parts.keyOfProvider(); provider != "" {
		found = append(found, trait{what: providerKey, detail: provider})
	}
	for i, segment := range parts.segments {
		if what := authorization(segment); what != 0 {
			found = append(found, trait{what: what, detail: "an Authorization header as a segment"})
		} else if i > 0 && (parameter{parts.segments[i-1], segment}).isNamedSecret() {
			found = append(found, trait{what: vagueSecret, detail: "a segment after " + quote(parts.segments[i-1])})
		}
	}
	for _, p := range parts.params {
		if what := cmp.Or(p.secret(), authorization(p.value)); what != 0 {
			found = append(found, trait{what: what, detail: "the parameter " + quote(p.name)})
		}
		if depth < maxNested && strings.Contains(p.value, "://") {
			found = append(found, nestedSecrets(p.value, depth+1)...)
		}
	}
	return found
}

// nestedSecrets returns the secrets of a link in the value of a parameter.
func nestedSecrets(link string, depth int) []trait {
	u, err := url.Parse(link)
	if err != nil {
		return nil
	}
	found := secretTraits(u, partsOf(u), depth)
	if u.User != nil && u.User.String() != "" {
		found = append(found, trait{what: userInfo, detail: u.Hostname()})
	}
	return found
}

// secret returns the kind of secret in a parameter, 0 for none.
func (p parameter) secret() traitKind {
	name := p.plainName()
	switch {
	case p.isOpen():
		return 0
	case endsInAny(name, secretNames):
		if isProviderKey(p.value) {
			return namedKey
		}
		return namedSecret
	case !slices.Contains(publicNames, name) && endsInAny(name, vagueNames):
		return vagueOf(p.value)
	case p.isNamedSecret():
		return vagueSecret
	}
	return 0
}

// vagueOf returns the trait of a value that may be a secret.
func vagueOf(value string) traitKind {
	if readsAsKey(value) {
		return vagueKey
	}
	return vagueSecret
}

// isOpen reports whether the value of a parameter is public or a placeholder.
func (p parameter) isOpen() bool {
	return p.value == "" || slices.Contains(openValues, strings.ToLower(p.value)) || isTemplate(p.value) || isTemplateWord(p.value)
}

// isNamedSecret reports whether a parameter is a secret by its name: the name is only for keys
// and the value is not public, or the name may be for keys and the value has the shape of one. 32
// bytes in base 58 do not count, because most are addresses of tokens.
func (p parameter) isNamedSecret() bool {
	switch name := p.plainName(); {
	case slices.Contains(secretNames, name):
		return !p.isOpen()
	case slices.Contains(vagueNames, name), slices.Contains(roleNames, name):
		return isProviderKey(p.value) && !base58Hash.MatchString(p.value)
	}
	return false
}

func endsInAny(name string, ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

// authorization returns the kind of secret in a text that is the value of an Authorization
// header, 0 for any other text.
func authorization(s string) traitKind {
	fields := strings.Fields(s)
	if len(fields) < 2 {
		return 0
	}
	scheme, value := fields[0], fields[1]
	if !slices.Contains(authSchemes, strings.ToLower(strings.TrimRight(scheme, ":"))) || (parameter{value: value}).isOpen() {
		return 0
	}
	return vagueOf(value)
}

// keyOfProvider returns the domain of the provider whose key is in a link, "" for none.
func (p linkParts) keyOfProvider() string {
	provider, _ := providerHosts.of(p.host)
	if provider == "" {
		return ""
	}
	for j, segment := range p.segments {
		blockchain := j > 0 && p.segments[j-1] == "bc" // the id of a blockchain of Avalanche
		if !blockchain && holdsProviderKey(segment) {
			return provider
		}
	}
	if slices.ContainsFunc(p.params, func(p parameter) bool { return holdsProviderKey(p.value) }) {
		return provider
	}
	for label := range strings.SplitSeq(p.host, ".") {
		if len(label) >= 32 && only(label, isHex) {
			return provider
		}
	}
	return ""
}

// holdsProviderKey reports whether a segment or value in an address of a provider contains a key,
// with or without other characters around it.
func holdsProviderKey(s string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf || !isWordByte(byte(r)) && r != '-' }), isProviderKey)
}

// holdsRandom reports whether a segment, a value or a label of the host has the shape of a key.
func (p linkParts) holdsRandom() bool {
	return slices.ContainsFunc(p.segments, readsAsKey) ||
		slices.ContainsFunc(p.params, func(p parameter) bool { return readsAsKey(p.value) }) ||
		slices.ContainsFunc(strings.Split(p.host, "."), isHexKey)
}
