package domain

import (
	"fmt"
	"net/url"
)

// linkUse is the use of a link.
type linkUse uint8

const (
	pageUse     linkUse = iota // a page that readers open
	imageUse                   // an image that browsers load
	endpointUse                // an address that programs call
)

// trait is a property of a well-formed link that linkPolicy judges.
type trait struct {
	what   traitKind
	detail string // the host, the parameter or the kind of address; never a secret
}

type traitKind uint8

const (
	_                 traitKind = iota
	userInfo                    // a user name or password before the host
	credential                  // a key or token of a known format
	providerKey                 // a customer's key in an address of a known provider
	namedKey                    // a parameter for keys whose value has the shape of one
	namedSecret                 // a parameter for keys with any other value
	vagueKey                    // a parameter that may be for keys whose value reads as one
	vagueSecret                 // the same with any other value, or a segment after one named as a key
	randomPart                  // a segment or value that reads as a key
	template                    // a place for a value: {key}
	templateWord                // may be one: your-api-key
	privateHost                 // a host that readers cannot reach
	documentationHost           // a host of an example, which does not exist
	traitKinds
)

// linkPolicy has the rule that a trait breaks in links of each use, "" for none. Certain secrets
// are errors. On pages and images, parameters and paths have many meanings, so their values
// decide. In endpoints they have few meanings, and programs call endpoints without a review.
var linkPolicy = [traitKinds][3]Rule{
	//             page, image, endpoint
	userInfo:     {RuleSecretInLink, RuleSecretInLink, RuleSecretInLink},
	credential:   {RuleSecretInLink, RuleSecretInLink, RuleSecretInLink},
	providerKey:  {RuleSecretInLink, RuleSecretInLink, RuleSecretInLink},
	namedKey:     {RuleSecretInLink, RuleSecretInLink, RuleSecretInLink},
	namedSecret:  {RulePossibleKey, RulePossibleKey, RuleSecretInLink},
	vagueKey:     {RulePossibleKey, RulePossibleKey, RuleSecretInLink},
	vagueSecret:  {"", "", RuleSecretInLink},
	randomPart:   {"", "", RulePossibleKey},
	template:     {RulePlaceholderInLink, RulePlaceholderInLink, RuleMalformedLink},
	templateWord: {"", "", RuleMalformedLink},
	privateHost:  {RulePrivateHost, RulePrivateHost, RuleMalformedLink},

	documentationHost: {"", "", RuleMalformedLink},
}

// linkTraits reports the traits of a well-formed link that its use does not allow, one problem
// per rule.
func (ck *checker) linkTraits(at Ref, field, link string, u *url.URL, use linkUse) {
	traits := traitsOf(u)
	if len(traits) == 0 {
		return
	}
	reported := map[Rule]bool{}
	for _, t := range traits {
		rule := linkPolicy[t.what][use]
		if rule == "" || reported[rule] || rule == RulePossibleKey && reported[RuleSecretInLink] {
			continue
		}
		reported[rule] = true
		message, remedy := t.describe(field, link)
		ck.report(at.in(field), rule, message, remedy)
	}
}

// traitsOf returns the traits of a link in the order of traitKind, except those of links within
// the link. A link with a secret has no random part and no template, so that no message quotes
// it.
func traitsOf(u *url.URL) []trait {
	parts := partsOf(u)
	var found []trait
	if u.User != nil && u.User.String() != "" {
		found = append(found, trait{what: userInfo, detail: parts.host})
	}
	found = append(found, secretTraits(u, parts, 0)...)
	switch {
	case len(found) > 0:
	case parts.isTemplated(isTemplate):
		found = append(found, trait{what: template})
	case parts.isTemplated(isTemplateWord) || parts.asksForSecret():
		found = append(found, trait{what: templateWord})
	case parts.holdsRandom():
		found = append(found, trait{what: randomPart})
	}
	if isHosted(u.Scheme) {
		if why := unreachable(parts.host); why != "" {
			found = append(found, trait{what: privateHost, detail: quote(parts.host) + ", " + why})
		} else if isWithin(parts.host, documentationDomain) {
			found = append(found, trait{what: documentationHost, detail: quote(parts.host) + ", a name for examples"})
		}
	}
	return found
}

// describe returns the message and remedy of a trait, without secrets of the link.
func (t trait) describe(field, link string) (message, remedy string) {
	const withoutKey = "remove it, or use an address that needs none"
	switch t.what {
	case userInfo:
		return fmt.Sprintf("%s has a user name or password before the host: it leads to %s", field, quote(t.detail)),
			"remove everything between // and @"
	case credential:
		return field + " has a key or token, which would be published", withoutKey
	case providerKey:
		return fmt.Sprintf("%s has a customer key of %s, which would be published", field, t.detail), withoutKey
	case namedKey, namedSecret, vagueKey, vagueSecret:
		return fmt.Sprintf("%s has %s, whose value would be published", field, t.detail), withoutKey
	case randomPart:
		return field + " has a part that looks like a key", "use an address that needs none, or keep it if it is public"
	case template, templateWord:
		return fmt.Sprintf("%s %s has a placeholder", field, quote(link)), "write an address that works as it is"
	}
	return fmt.Sprintf("%s leads to %s, which is not publicly reachable", field, t.detail), "use a public address"
}
