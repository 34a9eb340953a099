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

// maxConstructors bounds the list of what makes a value.
const maxConstructors = 200

// ShowConstructorsInput is what show_constructors takes.
type ShowConstructorsInput struct {
	TypeName string `json:"type_name" means:"symbol" jsonschema:"minLength=1,maxLength=500" jsonschema_description:"Type: T, pkg.T, ns::T or a whole import path before T. With a file before it, web/src/user.ts:User, exactly the one declared there."`
	tools.Wait
}

// ShowConstructorsOutput is what show_constructors returns.
type ShowConstructorsOutput struct {
	TypeName      string            `json:"type_name"`
	File          *string           `json:"file"` // absolute; null if the name means nothing or too much
	Line          *int              `json:"line"`
	Constructors  []Constructor     `json:"constructors"`   // constants, then implementations, then functions; at most 200
	IsGADT        bool              `json:"is_gadt"`        // always false in Go
	RawDefinition string            `json:"raw_definition"` // as written, cut after 200 lines
	Warning       *string           `json:"warning"`
	Kind          string            `json:"kind"`     // struct, interface, function type, map, …
	Doc           string            `json:"doc"`      // of the type
	Listed        []string          `json:"listed"`   // what was found: "5 constants", "1 function"
	Literals      int               `json:"literals"` // places that build a value by T{…} or new(T)
	Total         int               `json:"total"`    // constructors, also those left out
	Followed      []string          `json:"followed"` // names that lead from the one asked for to the one shown
	Candidates    []query.Candidate `json:"candidates,omitempty"`
	Nearest       []string          `json:"nearest,omitempty"`
	Completeness  lsp.Completeness  `json:"completeness"`

	root    string
	unread  bool // that nothing makes it is not known
	problem string
}

// A Constructor is one thing that makes, or is, a value of the type.
type Constructor struct {
	Name     string   `json:"name"`
	Fields   []string `json:"fields"`    // types of a function's parameters, or of an implementation's fields
	IsRecord bool     `json:"is_record"` // an implementation with fields that have names
	Kind     string   `json:"kind"`      // constant, implementation, function
	Detail   string   `json:"detail"`    // a constant's value, an implementation's form, a function's results
	Doc      string   `json:"doc"`
	Test     bool     `json:"test"` // only tests have it
	File     string   `json:"file"` // absolute
	Line     int      `json:"line"`

	shown string // as people of the language write it; "": as Go writes its kind
}

// ShowConstructors lists what can make a value of a type.
func (t *Toolset) ShowConstructors(ctx context.Context, call tools.Call, in ShowConstructorsInput) (*ShowConstructorsOutput, error) {
	q, err := t.begin(ctx, call, in.Wait)
	if err != nil {
		return nil, err
	}
	out := &ShowConstructorsOutput{TypeName: in.TypeName, Constructors: []Constructor{}, Listed: []string{}, Followed: []string{}, root: q.Root}
	r, err := q.TypeNamed(ctx, in.TypeName, func(known query.Language, symbol lsp.Symbol) error {
		var made query.Construction
		if err := known.Constructors(ctx, q, symbol, &made); err != nil {
			return err
		}
		out.tell(&made)
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
	}
	out.Completeness = q.Completeness(r)
	out.Warning = page.Warning(out.problem, out.Completeness)
	return out, nil
}

// tell takes what the language says makes the type.
func (o *ShowConstructorsOutput) tell(made *query.Construction) {
	o.File, o.Line, o.Kind, o.Doc = &made.Path, &made.Line, made.Kind, made.Doc
	o.RawDefinition, o.Followed = firstLines(made.Raw, maxRaw), append(o.Followed, made.Followed...)
	o.IsGADT, o.Literals, o.problem, o.unread = made.IsGADT, made.Literals, made.Problem, made.Unread
	for _, m := range made.Made {
		o.list(m.Kind, m.By)
	}
}

// list takes the constructors of a kind that were found, and says so.
func (o *ShowConstructorsOutput) list(kind string, found []query.Constructor) {
	o.Listed = append(o.Listed, wording.Count(len(found), kind))
	o.Total += len(found)
	for _, c := range found[:min(len(found), maxConstructors-len(o.Constructors))] {
		o.Constructors = append(o.Constructors, Constructor{
			Name: c.Name, Fields: c.Fields, IsRecord: c.IsRecord, Kind: kind, Detail: c.Detail, Doc: c.Doc, Test: c.Test,
			File: c.File, Line: c.Line, shown: c.Shown,
		})
	}
}

// Text renders the constructors for a model.
func (o *ShowConstructorsOutput) Text() string {
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
	p.Line("%s", o.summary())
	for _, c := range o.Constructors {
		p.Line("%s:%d: %s%s", query.Relative(o.root, c.File), c.Line, c.declared(), page.Comment(c.Doc))
	}
	if left := o.Total - len(o.Constructors); left > 0 {
		p.Line("… %d more, which only the source shows", left)
	}
	return p.Closing(o.Completeness)
}

func (o *ShowConstructorsOutput) summary() string {
	var parts []string
	if len(o.Listed) > 0 {
		parts = append(parts, "made by "+strings.Join(o.Listed, " and "))
	} else if o.Completeness.State == lsp.Indexing {
		parts = append(parts, "what makes it is not known yet")
	} else if !o.unread {
		parts = append(parts, "no constants, implementations or functions make it")
	}
	if o.Literals > 0 {
		build := " build"
		if o.Literals == 1 {
			build = " builds"
		}
		parts = append(parts, wording.Count(o.Literals, "place")+build+" it by literal or new")
	}
	if o.problem != "" {
		parts = append(parts, o.problem)
	}
	return strings.Join(parts, "; ")
}

func (c Constructor) declared() string {
	var line string
	switch {
	case c.shown != "":
		line = c.shown
	case c.Kind == "constant":
		line = "const " + c.Name + " = " + c.Detail
	case c.Kind == "implementation":
		line = c.Name + ", " + c.Detail
	default:
		line = "func " + c.Name + "(" + strings.Join(c.Fields, ", ") + ") " + c.Detail
	}
	if c.Test {
		line += " [test]"
	}
	return excerpt.Clip(line)
}
