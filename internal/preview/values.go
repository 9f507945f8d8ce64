package preview

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
)

// maxDepth bounds the nesting of members that are compared by their parts.
const maxDepth = 12

// compareJSON adds the members that differ between two values of a member, nil for none. Objects are
// compared by member, as `name.member`, and lists by element: a removed element has no value
// after, and elements with the same identity are compared as one.
func (r *Row) compareJSON(name string, before, after json.RawMessage, depth int) {
	switch {
	case bytes.Equal(before, after):
	case depth < maxDepth && isA(before, '{') && isA(after, '{'):
		r.compareObjects(name, before, after, depth)
	case depth < maxDepth && isA(before, '[') && isA(after, '['):
		r.compareLists(name, elementsOf(before), elementsOf(after), depth)
	default:
		a, b := around(string(before), string(after))
		r.add(Member{name, a, b})
	}
}

func isA(value json.RawMessage, opening byte) bool { return len(value) > 0 && value[0] == opening }

func (r *Row) compareObjects(name string, before, after json.RawMessage, depth int) {
	old, new := membersOf(before), membersOf(after)
	prefix := name + "."
	if name == "" {
		prefix = ""
	}
	for _, m := range new {
		r.compareJSON(prefix+m.name, valueOf(old, m.name), m.value, depth+1)
	}
	for _, m := range old {
		if valueOf(new, m.name) == nil {
			r.compareJSON(prefix+m.name, m.value, nil, depth+1)
		}
	}
}

// compareLists adds the elements that only one list has, or the first ones in another order.
func (r *Row) compareLists(name string, before, after []json.RawMessage, depth int) {
	gone, come := without(before, after), without(after, before)
	if len(gone)+len(come) == 0 {
		a, b := around(listText(before), listText(after))
		r.add(Member{name + " (order)", a, b})
		return
	}
	if len(gone) == 1 && len(come) == 1 && keyOf(gone[0]) == keyOf(come[0]) {
		r.compareJSON(name, gone[0], come[0], depth+1)
		return
	}
	keys, titles := placesBy(come, keyOf), placesBy(come, titleOf)
	met := make([]bool, len(come))
	take := func(places map[string][]int, id string) json.RawMessage {
		for len(places[id]) > 0 {
			i := places[id][0]
			if places[id] = places[id][1:]; !met[i] {
				met[i] = true
				return come[i]
			}
		}
		return nil
	}
	for _, value := range gone {
		other := take(keys, keyOf(value))
		if other == nil { // the id of a card changes with its link
			other = take(titles, titleOf(value))
		}
		r.compareJSON(name, value, other, depth+1)
	}
	for i, value := range come {
		if !met[i] {
			r.compareJSON(name, nil, value, depth+1)
		}
	}
}

// placesBy returns the places of the elements of a list by what identifies them, without "".
func placesBy(list []json.RawMessage, identityOf func(json.RawMessage) string) map[string][]int {
	places := map[string][]int{}
	for i, value := range list {
		if id := identityOf(value); id != "" {
			places[id] = append(places[id], i)
		}
	}
	return places
}

// without returns the elements of a list that another one does not have, each as often as it is missing.
func without[T ~string | ~[]byte](list, other []T) []T {
	has := map[string]int{}
	for _, value := range other {
		has[string(value)]++
	}
	var all []T
	for _, value := range list {
		if has[string(value)]--; has[string(value)] < 0 {
			all = append(all, value)
		}
	}
	return all
}

// keyOf returns what identifies an object in a list, "" for other values.
func keyOf(value json.RawMessage) string {
	if !isA(value, '{') {
		return ""
	}
	var of struct {
		ID   any    `json:"id"`
		Slug string `json:"slug"`
		Key  string `json:"key"`
		URL  string `json:"url"`
	}
	if json.Unmarshal(value, &of) != nil { // another type of a member: the object has no identity
		return ""
	}
	id, _ := of.ID.(string)
	return cmp.Or(id, of.Slug, of.Key, of.URL)
}

// titleOf returns the title of an object in a list, "" for none.
func titleOf(value json.RawMessage) string {
	var of struct {
		Title any `json:"title"`
	}
	if !isA(value, '{') || json.Unmarshal(value, &of) != nil {
		return ""
	}
	title, _ := of.Title.(string)
	return title
}

func elementsOf(list json.RawMessage) []json.RawMessage {
	var all []json.RawMessage
	must(json.Unmarshal(list, &all))
	return all
}

func listText(list []json.RawMessage) string {
	parts := make([]string, len(list))
	for i, value := range list {
		parts[i] = string(value)
	}
	return "[" + strings.Join(parts, ",") + "]"
}
