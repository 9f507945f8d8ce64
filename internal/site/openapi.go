package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	openapi "vitrine/api"
)

// reference is the data of the page of the OpenAPI document.
type reference struct {
	Title, Summary string
	Introduction   template.HTML
	Sections       []apiSection
}

// apiSection is the operations of a tag.
type apiSection struct {
	Name        string
	Description template.HTML
	Operations  []operationDoc
}

// operationDoc is an operation.
type operationDoc struct {
	ID, Path, Summary string
	Action            string // path of an example
	Try               string // path and query of the request of the form as it is first shown
	Description       template.HTML
	Parameters        []parameterDoc
	Fields            []fieldDoc // of the body of a 200
	Example           string     // indented JSON, "" for none
	Responses         []responseDoc
}

type parameterDoc struct {
	Name        string
	InPath      bool
	Required    bool
	Options     []string
	Example     string
	Value       string // at first in the form
	Description template.HTML
}

// usualLimit is the limit of the forms of lists, which would send all records without one.
const usualLimit = "10"

// fieldDoc is a field of a body. The depth of a field of the body itself is 0.
type fieldDoc struct {
	Name, Type  string
	Depth       int
	Required    bool
	Description template.HTML
}

type responseDoc struct {
	Status, Description string
}

// The members of the document that the page shows.
type (
	apiDocument struct {
		text *prose
		Info struct {
			Title, Summary, Description string
		}
		Tags []struct {
			Name, Description string
		}
		Paths      ordered[map[string]apiOperation]
		Components struct {
			Parameters map[string]apiParameter
			Responses  map[string]apiResponse
			Schemas    map[string]*schema
		}
	}
	apiOperation struct {
		OperationID, Summary, Description string
		Tags                              []string
		Parameters                        []apiParameter
		Responses                         ordered[apiResponse]
	}
	apiParameter struct {
		Ref         string `json:"$ref"`
		Name, In    string
		Description string
		Required    bool
		Schema      *schema
		Example     any
		Examples    ordered[struct{ Value any }]
	}
	apiResponse struct {
		Ref         string `json:"$ref"`
		Description string
		Content     map[string]struct {
			Schema   *schema
			Examples ordered[struct{ Value json.RawMessage }]
			Example  json.RawMessage
		}
	}
	schema struct {
		Ref         string `json:"$ref"`
		Type        oneOrMore
		Description string
		Enum        []any
		Properties  ordered[*schema]
		Required    []string
		Items       *schema
		AllOf       []*schema
		OneOf       []*schema
		AnyOf       []*schema
	}
)

// oneOrMore is a string, or a list of strings.
type oneOrMore []string

func (o *oneOrMore) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*o = oneOrMore{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(o))
}

// ordered is an object with its members in order.
type ordered[T any] []member[T]

type member[T any] struct {
	Name  string
	Value T
}

func (o *ordered[T]) UnmarshalJSON(raw []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if _, err := decoder.Token(); err != nil { // the brace
		return err
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		var value T
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		*o = append(*o, member[T]{fmt.Sprint(name), value})
	}
	return nil
}

// readReference renders the OpenAPI document. It panics as [readDocumentation].
func readReference() reference {
	var d apiDocument
	if err := json.Unmarshal(openapi.JSON(), &d); err != nil {
		panic("site: decode the OpenAPI document: " + err.Error())
	}
	d.text = newProse()
	r := reference{Title: d.Info.Title, Summary: d.Info.Summary, Introduction: d.text.html(d.Info.Description, 1)}
	for _, tag := range d.Tags {
		s := apiSection{Name: tag.Name, Description: d.text.html(tag.Description, 0)}
		for _, path := range d.Paths {
			if op, ok := path.Value["get"]; ok && slices.Contains(op.Tags, tag.Name) {
				s.Operations = append(s.Operations, d.operation(path.Name, op))
			}
		}
		r.Sections = append(r.Sections, s)
	}
	return r
}

func (d *apiDocument) operation(path string, op apiOperation) operationDoc {
	doc := operationDoc{ID: op.OperationID, Path: path, Summary: op.Summary, Description: d.text.html(op.Description, 3)}
	for _, p := range op.Parameters {
		if p.Ref != "" {
			p = d.Components.Parameters[lastSegment(p.Ref)]
		}
		parameter := d.parameter(p)
		switch {
		case parameter.InPath || parameter.Required:
			parameter.Value = parameter.Example
		case parameter.Name == "limit":
			parameter.Value = usualLimit
		}
		doc.Parameters = append(doc.Parameters, parameter)
	}
	doc.address()
	for _, response := range op.Responses {
		found := response.Value
		if found.Ref != "" {
			found = d.Components.Responses[lastSegment(found.Ref)]
		}
		doc.Responses = append(doc.Responses, responseDoc{response.Name, firstSentence(found.Description)})
		content, ok := found.Content["application/json"]
		if response.Name != "200" || !ok {
			continue
		}
		doc.Fields = d.fields(nil, content.Schema, 0, nil)
		example := content.Example
		if len(content.Examples) > 0 {
			example = content.Examples[0].Value.Value
		}
		doc.Example = indented(example)
	}
	return doc
}

// address sets the addresses of the form and of its first request, by the values of the parameters.
func (o *operationDoc) address() {
	o.Action = o.Path
	asked := url.Values{}
	for _, p := range o.Parameters {
		switch {
		case p.Value == "":
		case p.InPath:
			o.Action = strings.ReplaceAll(o.Action, "{"+p.Name+"}", p.Value)
		default:
			asked.Set(p.Name, p.Value)
		}
	}
	o.Try = withQuery(o.Action, asked.Encode())
}

func (d *apiDocument) parameter(p apiParameter) parameterDoc {
	s := d.resolved(p.Schema)
	doc := parameterDoc{Name: p.Name, InPath: p.In == "path", Required: p.Required, Description: d.text.html(p.Description, 4)}
	for _, option := range s.Enum {
		doc.Options = append(doc.Options, fmt.Sprint(option))
	}
	example := p.Example
	if example == nil && len(p.Examples) > 0 {
		example = p.Examples[0].Value.Value
	}
	if example != nil {
		doc.Example = fmt.Sprint(example)
	}
	return doc
}

// maxDepth is the depth of the listed fields.
const maxDepth = 5

// fields appends the fields of a schema to all, each followed by its own fields. It lists
// the fields of a schema within itself once.
func (d *apiDocument) fields(all []fieldDoc, s *schema, depth int, within []string) []fieldDoc {
	if s == nil || depth > maxDepth || s.Ref != "" && slices.Contains(within, s.Ref) {
		return all
	}
	if s.Ref != "" {
		within = append(slices.Clip(within), s.Ref)
		s = d.resolved(s)
	}
	for _, part := range slices.Concat(s.AllOf, s.OneOf, s.AnyOf) {
		all = d.fields(all, part, depth, within)
	}
	if s.Items != nil {
		return d.fields(all, s.Items, depth, within)
	}
	for _, property := range s.Properties {
		held := d.resolved(property.Value)
		all = append(all, fieldDoc{
			Name: property.Name, Type: d.typeOf(held), Depth: depth, Required: slices.Contains(s.Required, property.Name),
			Description: d.text.html(cmp.Or(property.Value.Description, held.Description), 4),
		})
		all = d.fields(all, property.Value, depth+1, within)
	}
	return all
}

// resolved returns a schema without a reference; an empty one for nil.
func (d *apiDocument) resolved(s *schema) *schema {
	for s != nil && s.Ref != "" {
		s = d.Components.Schemas[lastSegment(s.Ref)]
	}
	if s == nil {
		return &schema{}
	}
	return s
}

// typeOf returns a short description of a type.
func (d *apiDocument) typeOf(s *schema) string {
	switch {
	case s.Items != nil:
		return "array of " + cmp.Or(d.typeOf(d.resolved(s.Items)), "values")
	case len(s.Enum) > 0:
		var options []string
		for _, option := range s.Enum {
			options = append(options, fmt.Sprint(option))
		}
		return strings.Join(options, " | ")
	case len(s.Type) > 0:
		return strings.Join(s.Type, " or ")
	case len(s.Properties) > 0 || len(s.AllOf) > 0:
		return "object"
	}
	return ""
}

func firstSentence(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if end := strings.Index(s, ". "); end >= 0 {
		return s[:end+1]
	}
	return s
}
