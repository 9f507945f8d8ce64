package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	openapi "vitrine/api"
)

// reference is the OpenAPI document as its page shows it.
type reference struct {
	Title, Summary string
	Introduction   template.HTML // of the document's own text
	Sections       []section
}

// section is the operations of one tag.
type section struct {
	Name        string
	Description template.HTML
	Operations  []operationDoc
}

// operationDoc is one operation.
type operationDoc struct {
	ID, Path, Summary string
	Action            string // the path of an example
	Description       template.HTML
	Parameters        []parameterDoc
	Fields            []fieldDoc // of the body of a 200
	Example           string     // indented JSON, "" for none
	Answers           []answerDoc
}

type parameterDoc struct {
	Name        string
	InPath      bool
	Required    bool
	Type        string
	Options     []string
	Example     string
	Description template.HTML
}

// fieldDoc is a field of a body. Depth says how deep it lies.
type fieldDoc struct {
	Name, Type  string
	Depth       int
	Required    bool
	Description template.HTML
}

type answerDoc struct {
	Status, Description string
}

// The document, as far as the page has to do with it.
type (
	apiDocument struct {
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
		Const       any
		Format      string
		Properties  ordered[*schema]
		Required    []string
		Items       *schema
		AllOf       []*schema
		OneOf       []*schema
		AnyOf       []*schema
		Additional  json.RawMessage `json:"additionalProperties"`
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

// ordered is an object whose members keep their order.
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

// readReference reads the document that comes with the program.
func readReference() (*reference, error) {
	raw, err := openapi.JSON()
	if err != nil {
		return nil, err
	}
	var d apiDocument
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, err
	}
	text := newProse()
	r := &reference{Title: d.Info.Title, Summary: d.Info.Summary}
	if r.Introduction, err = text.html(d.Info.Description, 1); err != nil {
		return nil, err
	}
	for _, tag := range d.Tags {
		s := section{Name: tag.Name}
		if s.Description, err = text.html(tag.Description, 0); err != nil {
			return nil, err
		}
		for _, path := range d.Paths {
			op, ok := path.Value["get"]
			if !ok || !slices.Contains(op.Tags, tag.Name) {
				continue
			}
			made, err := d.operation(path.Name, op, text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path.Name, err)
			}
			s.Operations = append(s.Operations, made)
		}
		r.Sections = append(r.Sections, s)
	}
	return r, nil
}

func (d *apiDocument) operation(path string, op apiOperation, text *prose) (operationDoc, error) {
	made := operationDoc{ID: op.OperationID, Path: path, Action: path, Summary: op.Summary}
	var err error
	if made.Description, err = text.html(op.Description, 3); err != nil {
		return made, err
	}
	for _, p := range op.Parameters {
		if p.Ref != "" {
			p = d.Components.Parameters[lastName(p.Ref)]
		}
		doc, err := d.parameter(p, text)
		if err != nil {
			return made, err
		}
		if doc.InPath {
			made.Action = strings.ReplaceAll(made.Action, "{"+doc.Name+"}", doc.Example)
		}
		made.Parameters = append(made.Parameters, doc)
	}
	for _, answer := range op.Responses {
		found := answer.Value
		if found.Ref != "" {
			found = d.Components.Responses[lastName(found.Ref)]
		}
		made.Answers = append(made.Answers, answerDoc{answer.Name, firstSentence(found.Description)})
		content, ok := found.Content["application/json"]
		if answer.Name != "200" || !ok {
			continue
		}
		if err := d.fields(content.Schema, 0, nil, text, &made.Fields); err != nil {
			return made, err
		}
		example := content.Example
		if len(content.Examples) > 0 {
			example = content.Examples[0].Value.Value
		}
		if len(example) > 0 {
			var indented bytes.Buffer
			if err := json.Indent(&indented, example, "", "  "); err != nil {
				return made, err
			}
			made.Example = indented.String()
		}
	}
	return made, nil
}

func (d *apiDocument) parameter(p apiParameter, text *prose) (parameterDoc, error) {
	s := d.resolved(p.Schema)
	doc := parameterDoc{Name: p.Name, InPath: p.In == "path", Required: p.Required, Type: d.typeOf(s)}
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
	var err error
	doc.Description, err = text.html(p.Description, 4)
	return doc, err
}

// maxDepth is how deep fields are listed.
const maxDepth = 5

// fields appends the fields of a schema, and those of what they hold behind each.
func (d *apiDocument) fields(s *schema, depth int, within []string, text *prose, to *[]fieldDoc) error {
	if s == nil || depth > maxDepth {
		return nil
	}
	if s.Ref != "" {
		if slices.Contains(within, s.Ref) {
			return nil // a schema that holds itself
		}
		within = append(slices.Clip(within), s.Ref)
		s = d.resolved(s)
	}
	for _, part := range slices.Concat(s.AllOf, s.OneOf, s.AnyOf) {
		if err := d.fields(part, depth, within, text, to); err != nil {
			return err
		}
	}
	if s.Items != nil {
		return d.fields(s.Items, depth, within, text, to)
	}
	for _, property := range s.Properties {
		held := d.resolved(property.Value)
		description, err := text.html(cmp.Or(property.Value.Description, held.Description), 4)
		if err != nil {
			return err
		}
		*to = append(*to, fieldDoc{
			Name: property.Name, Type: d.typeOf(held), Depth: depth, Required: slices.Contains(s.Required, property.Name), Description: description,
		})
		if err := d.fields(property.Value, depth+1, within, text, to); err != nil {
			return err
		}
	}
	return nil
}

// resolved follows references.
func (d *apiDocument) resolved(s *schema) *schema {
	for s != nil && s.Ref != "" {
		s = d.Components.Schemas[lastName(s.Ref)]
	}
	if s == nil {
		return &schema{}
	}
	return s
}

// typeOf says in a word or two what a value is.
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

func lastName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

func firstSentence(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if end := strings.Index(s, ". "); end >= 0 {
		return s[:end+1]
	}
	return s
}
