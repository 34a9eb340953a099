package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/invopop/jsonschema"

	"tidepool/internal/gopackage"
	"tidepool/internal/gosyntax"
	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
)

// Scout is the toolset that explores what a change touches. It needs Project, Root and Scorer; use it by pointer.
type Scout struct {
	Project *lsp.Project
	Root    string // absolute directory of the project
	// Scorer returns the scorer of the next walk. Its error is what the model reads when none can be had.
	Scorer func() (scout.Scorer, error)

	files    gosyntax.Files
	packages gopackage.Packages // made of files
	lexed    lexer.Files
	outer    outlines
}

// ScoutInput is what scout takes.
type ScoutInput struct {
	Query   string      `json:"query" jsonschema:"minLength=1,maxLength=2000" jsonschema_description:"The question in words: what breaks if I add a parameter to Encode?"`
	Symbols scoutNames  `json:"symbols,omitempty" jsonschema_description:"Where to start: F, T.M, pkg.F, pkg.T.M, T.Field, or with a file before it, web/src/user.ts:User.rename; an array, or names with commas between them. Without it, the identifiers in the query."`
	Depth   scout.Depth `json:"depth,omitempty" jsonschema:"enum=low,enum=medium,enum=high,default=medium" jsonschema_description:"How many places to look at: low 10, medium 30, high 100."`
	Change  scoutChange `json:"change,omitzero" jsonschema_description:"The kind of edit that is planned. It decides what counts, so give it whenever you know it; without it, it is guessed from the words of the query."`
	Wait
}

// scoutNames gives scout.Symbols a schema: an array or a string.
type scoutNames scout.Symbols

// UnmarshalJSON accepts what the schema does.
func (n *scoutNames) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, (*scout.Symbols)(n))
}

// JSONSchema describes both forms.
func (scoutNames) JSONSchema() *jsonschema.Schema {
	name := &jsonschema.Schema{Type: "string"}
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "array", Items: name}, name}}
}

// scoutChange gives scout.Change a schema: a kind, or an object with the kind and details.
type scoutChange scout.Change

// UnmarshalJSON accepts what the schema does.
func (c *scoutChange) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, (*scout.Change)(c))
}

// JSONSchema describes both forms.
func (scoutChange) JSONSchema() *jsonschema.Schema {
	kind := &jsonschema.Schema{Type: "string"}
	for _, k := range scout.ChangeKinds() {
		kind.Enum = append(kind.Enum, k)
	}
	object := &jsonschema.Schema{
		Type: "object", Properties: jsonschema.NewProperties(), Required: []string{"kind"}, AdditionalProperties: jsonschema.FalseSchema,
	}
	object.Properties.Set("kind", kind)
	object.Properties.Set("detail", &jsonschema.Schema{Type: "string", Description: "The edit in a few words: ctx context.Context, first."})
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{kind, object}}
}

// ScoutOutput is what scout returns: the walk's answer, with how complete the code it walked was.
type ScoutOutput struct {
	*scout.Answer
	Limits []string `json:"limits,omitempty"` // declarations with more references than were looked at
}

// Scout explores what a change touches, best first.
func (s *Scout) Scout(ctx context.Context, in ScoutInput) (*ScoutOutput, error) {
	if s.Scorer == nil {
		return nil, errors.New("scout has no scorer")
	}
	scorer, err := s.Scorer()
	if err != nil {
		return nil, err
	}
	view, err := look(ctx, s.Project, in.Wait)
	if err != nil {
		return nil, err
	}
	g := &graph{inquiry: inquiry{view: view, root: rootOf(view, s.Root), files: s.files.Read(), lexed: s.lexed.Read(), outlines: &s.outer}, packages: &s.packages}
	query := scout.Query{Text: in.Query, Symbols: scout.Symbols(in.Symbols), Depth: in.Depth, Change: scout.Change(in.Change)}
	answer, err := scout.Walk(ctx, g, scorer, query, scout.Options{Progress: func(visited, budget int) {
		ReportProgress(ctx, Progress{Done: float64(visited), Total: float64(budget), Message: "exploring"})
	}})
	if err != nil {
		return nil, err
	}
	answer.Completeness = g.doubted(view.Completeness())
	return &ScoutOutput{Answer: answer, Limits: g.limits}, nil
}

// Text renders the answer for a model.
func (o *ScoutOutput) Text() string {
	var p page
	p.WriteString(strings.TrimRight(o.Answer.Text(), "\n") + "\n")
	for _, limit := range o.Limits {
		p.line("%s", limit)
	}
	completeness, _ := o.Completeness.(lsp.Completeness)
	return p.closing(incompleteness(completeness))
}
