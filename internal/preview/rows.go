package preview

import (
	"bytes"
	"cmp"
	"encoding/json"
)

// row is a part of a response that is compared as a whole.
type row struct {
	key  string // "" for the only one
	body []byte // a JSON object
}

// identity has the members that identify a row; each row has some of them.
type identity struct {
	Handle    string `json:"handle"`
	ChannelID string `json:"channelId"`
	Slug      string `json:"slug"`
	Key       string `json:"key"`

	Menu string `json:"menu"` // of a card, whose id is unique in it
	ID   string `json:"id"`

	Name  string `json:"name"`
	Title string `json:"title"`
}

func (i identity) key() string {
	if i.Menu != "" {
		return i.Menu + "/" + i.ID
	}
	return cmp.Or(i.Handle, i.ChannelID, i.Slug, i.Key)
}

// place returns the menu and the title of a card, "" for other rows.
func (r row) place() string {
	if i := identityOf(r.body); i.Menu != "" && i.Title != "" {
		return i.Menu + "\n" + i.Title
	}
	return ""
}

// rowsIn returns the rows of a list: the objects in the first array of its body. isList is false for
// other bodies, whose first array has none.
func rowsIn(body []byte) (rows []row, isList bool) {
	for _, m := range membersOf(body) {
		if m.value[0] != '[' {
			continue
		}
		var objects []json.RawMessage
		must(json.Unmarshal(m.value, &objects))
		for _, object := range objects {
			if object[0] != '{' {
				return nil, false
			}
			rows = append(rows, row{identityOf(object).key(), object})
		}
		return rows, true
	}
	return nil, false
}

func identityOf(object []byte) identity {
	var i identity
	must(json.Unmarshal(object, &i))
	return i
}

// titled returns the row with its name or title, unless that is its key.
func (r row) titled() Row {
	i := identityOf(r.body)
	title := cmp.Or(i.Name, i.Title)
	if title == r.key || r.key == "" {
		title = ""
	}
	return Row{Key: r.key, Title: window([]rune(title), 0)}
}

// byKey returns the places of rows.
func byKey(rows []row) map[string]int {
	all := make(map[string]int, len(rows))
	for i, r := range rows {
		all[r.key] = i
	}
	return all
}

// changedRow returns a row with the members that differ.
func changedRow(before, after row) Row {
	changed := after.titled()
	changed.compareObjects("", before.body, after.body, 0)
	return changed
}

// member is a member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// membersOf returns the members of an object in their order.
func membersOf(object []byte) []member {
	d := json.NewDecoder(bytes.NewReader(object))
	next := func() json.Token {
		token, err := d.Token()
		must(err)
		return token
	}
	next() // the brace
	var all []member
	for d.More() {
		m := member{name: next().(string)}
		must(d.Decode(&m.value))
		all = append(all, m)
	}
	return all
}

// valueOf returns the value of a member, nil for none.
func valueOf(members []member, name string) json.RawMessage {
	for _, m := range members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// must panics: the bodies of a snapshot and the requests of this package are valid.
func must(err error) {
	if err != nil {
		panic("preview: " + err.Error())
	}
}
