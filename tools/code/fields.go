package code

import (
	"context"
	"strings"

	"tidepool/internal/wording"
	"tidepool/lsp"
	"tidepool/tools"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/page"
	"tidepool/tools/internal/query"
)

// ShowFieldsInput is what show_fields takes.
type ShowFieldsInput struct {
	TypeName string `json:"type_name" means:"symbol" jsonschema:"minLength=1,maxLength=500" jsonschema_description:"Type: T, pkg.T, ns::T or a whole import path before T. With a file before it, web/src/user.ts:User, exactly the one declared there."`
	tools.Wait
}

// ShowFieldsOutput is what show_fields returns.
type ShowFieldsOutput struct {
	TypeName      string            `json:"type_name"`
	File          *string           `json:"file"` // absolute; null if the name means nothing or too much
	Line          *int              `json:"line"`
	IsRecord      bool              `json:"is_record"`      // the type has fields, or could have
	Fields        []Field           `json:"fields"`         // its own in order, then promoted ones
	RawDefinition string            `json:"raw_definition"` // as written, cut after 200 lines
	Warning       *string           `json:"warning"`
	Kind          string            `json:"kind"`     // struct, interface, function type, map, …
	Doc           string            `json:"doc"`      // of the type
	Methods       []Method          `json:"methods"`  // an interface's; a struct's promoted ones
	Followed      []string          `json:"followed"` // names that lead from the one asked for to the one shown
	Hidden        int               `json:"hidden"`   // unexported members that other packages promote in vain
	Cut           int               `json:"cut"`      // fields and methods beyond the first 400 of each
	Candidates    []query.Candidate `json:"candidates,omitempty"`
	Nearest       []string          `json:"nearest,omitempty"`
	Completeness  lsp.Completeness  `json:"completeness"`

	root    string
	problem string // what the name means instead of a type with fields
}

// A Field is a field of a struct.
type Field struct {
	Name         string `json:"name"`
	Type         string `json:"type"`
	Strict       bool   `json:"strict"` // holds a value, not a computation of one: always true in Go
	Tag          string `json:"tag"`
	Doc          string `json:"doc"` // the comments above and beside it
	Embedded     bool   `json:"embedded"`
	PromotedFrom string `json:"promoted_from"` // the embedded fields on the way to it: "Common.Deep"; "" for its own
	File         string `json:"file"`          // absolute
	Line         int    `json:"line"`
}

// A Method is one that an interface asks for or that an embedded type promotes.
type Method struct {
	Name         string `json:"name"`
	Type         string `json:"type"` // "func(key string) error"
	Doc          string `json:"doc"`
	PromotedFrom string `json:"promoted_from"`
	File         string `json:"file"` // absolute
	Line         int    `json:"line"`
}

// ShowFields lists the fields of a struct, or says what else the type is.
func (t *Toolset) ShowFields(ctx context.Context, call tools.Call, in ShowFieldsInput) (*ShowFieldsOutput, error) {
	q, err := t.begin(ctx, call, in.Wait)
	if err != nil {
		return nil, err
	}
	out := &ShowFieldsOutput{TypeName: in.TypeName, Fields: []Field{}, Methods: []Method{}, Followed: []string{}, root: q.Root}
	r, err := q.TypeNamed(ctx, in.TypeName, func(known query.Language, symbol lsp.Symbol) error {
		var r query.Record
		if err := known.Fields(ctx, q, symbol, &r); err != nil {
			return err
		}
		out.tell(&r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	switch {
	case !r.Found:
		out.problem = q.NotFound(r, in.TypeName, "type")
		out.Candidates, out.Nearest = r.Candidates, r.Nearest
	case r.Unread:
		at := r.Symbol.Location
		out.File, out.Line, out.Kind = &at.Path, &at.Range.Start.Line, string(r.Symbol.Kind)
		out.problem = "its fields are not known yet"
	}
	out.Completeness = q.Completeness(r)
	out.Warning = page.Warning(out.problem, out.Completeness)
	return out, nil
}

// maxRaw bounds a definition, in lines.
const maxRaw = 200

// tell takes what the language says of the type, within bounds, and counts what it drops.
func (o *ShowFieldsOutput) tell(r *query.Record) {
	o.File, o.Line, o.Kind, o.Doc = &r.Path, &r.Line, r.Kind, r.Doc
	o.RawDefinition, o.Followed = firstLines(r.Raw, maxRaw), append(o.Followed, r.Followed...)
	o.IsRecord, o.Hidden, o.problem = r.IsRecord, r.Hidden, r.Problem
	fields, methods := min(len(r.Fields), query.MaxMembers), min(len(r.Methods), query.MaxMembers)
	o.Cut = len(r.Fields) - fields + len(r.Methods) - methods
	for _, f := range r.Fields[:fields] {
		o.Fields = append(o.Fields, Field(f))
	}
	for _, m := range r.Methods[:methods] {
		o.Methods = append(o.Methods, Method{Name: m.Name, Type: m.Type, Doc: m.Doc, PromotedFrom: m.PromotedFrom, File: m.File, Line: m.Line})
	}
}

func firstLines(text string, limit int) string {
	lines := strings.SplitN(text, "\n", limit+1)
	lines = lines[:min(len(lines), limit)]
	for i, line := range lines {
		lines[i] = excerpt.Clip(line)
	}
	return strings.Join(lines, "\n")
}

// Text renders the fields for a model.
func (o *ShowFieldsOutput) Text() string {
	var p page.Page
	if o.File == nil {
		p.Line("%s", o.problem)
		p.Candidates(o.root, o.Candidates)
		return p.Closing(o.Completeness)
	}
	p.Line("%s", page.Heading(query.Relative(o.root, *o.File), *o.Line, o.TypeName, o.Kind, o.Doc))
	for _, step := range o.Followed {
		p.Line("%s", step)
	}
	if o.problem != "" {
		p.Line("%s", o.problem)
	}
	o.writeFields(&p)
	o.writeMethods(&p)
	if o.Hidden > 0 {
		p.Line("(%s of embedded types of other packages left out)", wording.Count(o.Hidden, "unexported member"))
	}
	if o.Cut > 0 {
		p.Line("… %d more, which only the source shows", o.Cut)
	}
	return p.Closing(o.Completeness)
}

// writeMethods writes the methods behind the fields; those of the type itself have a heading where promoted fields stand above.
func (o *ShowFieldsOutput) writeMethods(p *page.Page) {
	above := "" // what the members above were promoted from
	if len(o.Fields) > 0 {
		above = o.Fields[len(o.Fields)-1].PromotedFrom
	}
	for i, m := range o.Methods {
		switch {
		case m.PromotedFrom == "" && above != "":
			p.Line("own methods:")
		case m.PromotedFrom != "" && (i == 0 || m.PromotedFrom != above):
			p.Line("methods from %s (%s):", m.PromotedFrom, query.Relative(o.root, m.File))
		}
		above = m.PromotedFrom
		p.Line("  %d: %s%s%s", m.Line, m.Name, strings.TrimPrefix(m.Type, "func"), page.Comment(m.Doc))
	}
}

func (o *ShowFieldsOutput) writeFields(p *page.Page) {
	above := ""
	for _, f := range o.Fields {
		switch {
		case f.PromotedFrom == "" && above != "":
			p.Line("own fields:")
		case f.PromotedFrom != above:
			p.Line("promoted from %s (%s):", f.PromotedFrom, query.Relative(o.root, f.File))
		}
		above = f.PromotedFrom
		declared := f.Name + " " + f.Type
		if f.Embedded {
			declared = f.Type + " (embedded)"
		}
		if f.Tag != "" {
			declared += " `" + f.Tag + "`"
		}
		p.Line("  %d: %s%s", f.Line, excerpt.Clip(declared), page.Comment(f.Doc))
	}
	if o.IsRecord && len(o.Fields) == 0 {
		p.Line("  no fields")
	}
}
