package domain

import (
	"cmp"
	"iter"
	"math/bits"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/fold"
)

// credentialFormats are the formats of keys and tokens that their issuers made
// recognisable. Each begins with or holds its mark, which is cheap to look for.
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

// markStarts has, for the first two bytes of marks, the credentialFormats whose mark has
// that byte there, a bit for each.
var markStarts = func() (starts [2][256]uint32) {
	for i, c := range credentialFormats {
		starts[0][c.mark[0]] |= 1 << i
		starts[1][c.mark[1]] |= 1 << i
	}
	return starts
}()

// holdsCredential reports whether s holds a key or token of a known format. It goes
// through s once for all marks.
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

// providerHosts are domains of API hosts that take a customer's key as a segment of the
// path or as a label of the host. Domains under which a provider has pages as well are
// listed by the subdomain of the API.
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

// secretNames end the names of parameters whose values are keys or passwords whatever
// the link is for, without dashes and underscores. Those of vagueNames mean
// other things as well: a coin, a document.
var (
	secretNames = []string{
		"accesskey", "accesstoken", "apikey", "apisecret", "apitoken", "appkey", "authkey", "authorization", "authtoken", "bearer", "clientsecret",
		"dkey", "gatewaytoken", "jwt", "mnemonic", "passphrase", "passwd", "password", "privatekey", "projectsecret", "pwd", "secret", "secretkey", "sessiontoken",
	}
	vagueNames = []string{"auth", "key", "token"}
	// roleNames say that a value may be a key, as vagueNames do, but too rarely to be
	// believed unless the value has the shape of one.
	roleNames = []string{"access", "k"}
	// publicNames are names that end so and are not for secrets.
	publicNames = []string{"publickey", "pubkey"}
	// authSchemes begin the value of an Authorization header.
	authSchemes = []string{"apikey", "basic", "bearer", "token"}
	// openValues are values of such parameters that everybody may use.
	openValues = []string{"anonymous", "demo", "free", "guest", "none", "open", "public", "test", "true", "false"}
)

// parameter is one parameter of a query or a fragment. One without "=" has no name.
type parameter struct{ name, value string }

// linkParts is what a link consists of, percent-escapes undone. Parameters are also those
// that a segment or a value without a name holds: /v1;apikey=x, ?apikey%3Dx.
type linkParts struct {
	host     string
	segments []string
	params   []parameter
}

// partsOf takes a link apart. It reads what readers of URLs differ about: semicolons,
// escapes that are none, and paths and queries in a fragment.
func partsOf(u *url.URL) linkParts {
	parts := linkParts{host: plainHost(u.Hostname())}
	path, query := u.EscapedPath(), u.RawQuery
	if u.Opaque != "" {
		path = u.Opaque
	}
	inFragment, fragmentQuery, _ := strings.Cut(u.EscapedFragment(), "?")
	parts.addPath(path)
	if strings.Contains(inFragment, "=") {
		fragmentQuery += "&" + inFragment
	} else {
		parts.addPath(inFragment)
	}
	if fragmentQuery != "" {
		query += "&" + fragmentQuery
	}
	for pair := range eachPair(query) {
		if name, value, named := strings.Cut(pair, "="); named {
			parts.params = append(parts.params, parameter{unescaped(name), unescaped(value)})
		} else if value := unescaped(pair); !parts.addPairs(value) {
			parts.params = append(parts.params, parameter{"", value})
		}
	}
	return parts
}

// addPath adds the segments of a path, also where a slash between them is escaped.
func (p *linkParts) addPath(path string) {
	path = unescaped(path)
	p.segments = slices.Grow(p.segments, 1+strings.Count(path, "/"))
	for segment := range strings.SplitSeq(path, "/") {
		p.segments = append(p.segments, segment)
		p.addPairs(segment)
	}
}

// addPairs adds the parameters that a text holds, and reports whether there are any.
func (p *linkParts) addPairs(s string) (any bool) {
	if !strings.Contains(s, "=") {
		return false
	}
	for pair := range eachPair(s) {
		if name, value, named := strings.Cut(pair, "="); named {
			p.params = append(p.params, parameter{name, value})
			any = true
		}
	}
	return any
}

// eachPair yields what stands between & and ; in a query.
func eachPair(query string) iter.Seq[string] {
	return strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' })
}

// maxEscaped bounds how often a text may be escaped, one escape within the other.
const maxEscaped = 3

// unescaped undoes percent-escapes, also those of escapes, if all of them are well-formed.
func unescaped(s string) string {
	for range maxEscaped {
		plain, err := url.QueryUnescape(s)
		if err != nil || plain == s {
			break
		}
		s = plain
	}
	return s
}

// maxNested bounds how deep links in the parameters of links are looked into.
const maxNested = 2

// secretTraits returns what a link publishes that opens something, most certain first.
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

// nestedSecrets returns the secrets of a link that is the value of a parameter.
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

// secret returns what sort of secret a parameter holds, 0 for none.
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

// vagueOf returns the trait of a value that is a secret if anything is.
func vagueOf(value string) traitKind {
	if readsAsKey(value) {
		return vagueKey
	}
	return vagueSecret
}

// isOpen reports whether everybody may use the value of a parameter, or replaces it.
func (p parameter) isOpen() bool {
	return p.value == "" || slices.Contains(openValues, strings.ToLower(p.value)) || isTemplate(p.value) || isTemplateWord(p.value)
}

// isNamedSecret reports whether the name of a parameter is one for keys and nothing else,
// and its value is not open, or the name may be one and the value has the shape of a key.
// 32 bytes in base 58 are more often the address of a token.
func (p parameter) isNamedSecret() bool {
	switch name := p.plainName(); {
	case slices.Contains(secretNames, name):
		return !p.isOpen()
	case slices.Contains(vagueNames, name), slices.Contains(roleNames, name):
		return isProviderKey(p.value) && !base58Hash.MatchString(p.value)
	}
	return false
}

// plainName returns the name of a parameter as secretNames has it: its letters, in lower case.
func (p parameter) plainName() string {
	if only(p.name, func(c byte) bool { return 'a' <= c && c <= 'z' }) {
		return p.name
	}
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && !isLetter(byte(r)) {
			return -1
		}
		return r
	}, fold.Latin(fold.Text(p.name)))
}

func endsInAny(name string, ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

// authorization returns what sort of secret a text holds if it is the value of an
// Authorization header, 0 for any other text.
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

// keyOfProvider returns the domain of the provider whose customer's key is in a link, ""
// for none.
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

// holdsProviderKey reports whether a segment or a value in an address of a provider holds a
// key, perhaps before or behind other characters.
func holdsProviderKey(s string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf || !isWordByte(byte(r)) && r != '-' }), isProviderKey)
}

// holdsRandom reports whether a segment or a value reads as a key.
func (p linkParts) holdsRandom() bool {
	return slices.ContainsFunc(p.segments, readsAsKey) ||
		slices.ContainsFunc(p.params, func(p parameter) bool { return readsAsKey(p.value) })
}

// isProviderKey reports whether s has the shape of keys of providers: letters and digits
// without a word, 16 of them or more, or a UUID. Only the host makes it a key: hashes
// and ids have such shapes too.
func isProviderKey(s string) bool {
	const shortest, fewest = 16, 2
	if uuid.MatchString(s) {
		return true
	}
	digits, letters, ok := alphanumerics(s)
	mixed := digits >= fewest && letters >= fewest || mixesCase(s)
	return ok && len(s) >= shortest && mixed && !isWords(s) && !isAddress(s)
}

// words are what stands between the dashes of an address: a word, a number, a version.
var words = regexp.MustCompile(`^(?:[A-Za-z]?[a-z]*|[A-Z]+)[0-9]{0,4}$|^[0-9]+[a-z]{0,2}$`)

// isWords reports whether s is words and numbers with dashes between. It is stricter than
// isSlug: keys of providers may have a word before them.
func isWords(s string) bool {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' })
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(part string) bool { return !words.MatchString(part) })
}

// mixesCase reports whether at least one of five characters is upper case, and as many
// lower case. A word in camel case has fewer capitals.
func mixesCase(s string) bool {
	lower, upper := 0, 0
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z':
			lower++
		case 'A' <= c && c <= 'Z':
			upper++
		}
	}
	return 5*min(lower, upper) >= len(s)
}

// readsAsKey reports whether s is so random that it is most likely a key even where
// nothing else says so: at least 20 letters and digits that change between upper case,
// lower case and digits as words and numbers do not, and no hash, address or id of a
// known form.
func readsAsKey(s string) bool {
	const shortest, fewest, changes = 20, 2, 0.25
	digits, letters, ok := alphanumerics(s)
	if !ok || len(s) < shortest || digits < fewest || letters < fewest || strings.Count(s, "-")+strings.Count(s, "_") > 3 {
		return false
	}
	return changeRate(s) >= changes && !isSlug(s) && !isAddress(s) && !isHash(s)
}

// alphanumerics counts the digits and letters of a string that has no other characters
// than those, "-" and "_"; ok is false for any other string.
func alphanumerics(s string) (digits, letters int, ok bool) {
	for _, c := range []byte(s) {
		switch {
		case isDigit(c):
			digits++
		case isLetter(c):
			letters++
		case c != '-' && c != '_':
			return 0, 0, false
		}
	}
	return digits, letters, true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// changeRate is how often neighbours in s differ in being upper case, lower case or a
// digit, from 0 to 1. It is below 0.2 in names and around 0.5 in keys.
func changeRate(s string) float64 {
	class := func(c byte) int {
		switch {
		case isDigit(c):
			return 1
		case 'A' <= c && c <= 'Z':
			return 2
		case 'a' <= c && c <= 'z':
			return 3
		}
		return 0
	}
	changed, pairs := 0, 0
	for i := 1; i < len(s); i++ {
		a, b := class(s[i-1]), class(s[i])
		if a == 0 || b == 0 {
			continue
		}
		pairs++
		if a != b {
			changed++
		}
	}
	return float64(changed) / float64(max(pairs, 1))
}

// isSlug reports whether words stand between the dashes of s, as in
// "testnet-1e9ac8b09e874e8abd6a7f18c096ca6a".
func isSlug(s string) bool {
	if !strings.ContainsAny(s, "-_") {
		return false
	}
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == '_' }) {
		if len(word) >= 4 && only(word, func(c byte) bool { return 'a' <= c && c <= 'z' }) {
			return true
		}
	}
	return false
}

// addressForms are forms of public ids: 0x…, bech32, content ids of IPFS. 32 bytes in
// base 58, as blockchains of Avalanche and accounts of Solana have, are not among them:
// keys of some providers are as long.
var (
	addressForms = regexp.MustCompile(`^(?:0x[0-9A-Fa-f]+|[a-z]{1,20}(?:_[a-z]+)?1[02-9ac-hj-np-z]{38,}|Qm[1-9A-HJ-NP-Za-km-z]{44}|ba[a-z2-7]{50,}|k[25][0-9a-z]{50,})$`)
	base58Hash   = regexp.MustCompile(`^[1-9A-HJ-NP-Za-km-z]{43,52}$`)
	uuid         = regexp.MustCompile(`^(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
)

func isAddress(s string) bool { return addressForms.MatchString(s) }

// isHash reports whether s is a hash or an id as programs print them: 20 or 32 bytes in
// hexadecimal digits, 32 in base 58, or a UUID.
func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && only(s, isHex) || uuid.MatchString(s) || base58Hash.MatchString(s)
}

// Places where users put a key of their own, each as a whole segment or value.
var (
	templates     = regexp.MustCompile(`^(?:\$?\{\{?[\p{L}\p{N}_ .:|-]*\p{L}[\p{L}\p{N}_ .:|-]*\}?\}|<[^<>]+>|\[[\p{L}\p{N}_ .:-]*\p{L}[\p{L}\p{N}_ .:-]*\])$`)
	templateWords = regexp.MustCompile(`(?i)^(?:your|my|insert|enter|put|replace|add)(?:[-_ ]?(?:[a-z0-9]+[-_ ])*)(?:api)?[-_ ]?(?:key|token|secret|id|password|credentials?|here)(?:[-_ ]?(?:here|token))?$`)
	templateNames = regexp.MustCompile(`^(?:[A-Z0-9]+[-_])+(?:KEY|TOKEN|SECRET|ID|PASSWORD)$|^(?:API_?KEY|\*{3,}|(?i:x{6,})|…|\.{3,}|[$:](?i:[a-z][a-z0-9_-]*))$`)
)

// isTemplate reports whether s is a place for a value in brackets, as <API_KEY>, {key},
// ${KEY} or [KEY], or says so in capitals, as YOUR_API_KEY.
func isTemplate(s string) bool {
	return mayBeTemplate(s) && (templates.MatchString(s) || s == strings.ToUpper(s) && templateWords.MatchString(s))
}

// isTemplateWord reports whether s may be a place for a key but may be a word of an
// ordinary page as well: your-api-key, API_KEY, :key, xxxxxxxx.
func isTemplateWord(s string) bool {
	return mayBeTemplate(s) && (templateWords.MatchString(s) || templateNames.MatchString(s))
}

// templateEnds end what templateWords and the words of templateNames match.
var templateEnds = []string{"key", "token", "secret", "id", "password", "credential", "credentials", "here"}

// mayBeTemplate reports whether s begins or ends as what the three expressions match. Most
// segments and values do not, and the expressions cost more than all other checks of a link.
func mayBeTemplate(s string) bool {
	if s == "" {
		return false
	}
	return strings.IndexByte("${<[*xX.:", s[0]) >= 0 || !isPlainASCII(s) ||
		slices.ContainsFunc(templateEnds, func(end string) bool { return len(s) >= len(end) && strings.EqualFold(s[len(s)-len(end):], end) })
}

// isTemplated reports whether a segment or a value satisfies is.
func (p linkParts) isTemplated(is func(string) bool) bool {
	return slices.ContainsFunc(p.segments, is) || slices.ContainsFunc(p.params, func(p parameter) bool { return is(p.value) })
}

// asksForSecret reports whether a parameter for a key is empty.
func (p linkParts) asksForSecret() bool {
	return slices.ContainsFunc(p.params, func(p parameter) bool {
		return p.value == "" && parameter{p.name, "x1x1x1"}.secret() != 0
	})
}
