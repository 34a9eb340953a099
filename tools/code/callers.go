package code

import (
	"context"
	"slices"

	"tidepool/lsp"
	"tidepool/tools"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/page"
	"tidepool/tools/internal/query"
)

// maxUnresolved bounds the list of places that may be calls.
const maxUnresolved = 50

// FindCallersInput is what find_callers takes.
type FindCallersInput struct {
	Name         string `json:"name" means:"symbol" jsonschema:"minLength=1,maxLength=500" jsonschema_description:"Function or method: F, T.M, pkg.F or pkg.T.M; ns::T::m, (*T).M and whole import paths work, too. With a file before it, web/src/user.ts:User.rename, exactly the one declared there."`
	ContextLines int    `json:"context_lines,omitempty" jsonschema:"default=0,minimum=0,maximum=20" jsonschema_description:"Lines of source before and after each call."`
	MaxResults   int    `json:"max_results,omitempty" means:"count" jsonschema:"default=50,minimum=1,maximum=1000" jsonschema_description:"Most call sites to return; the rest is counted."`
	tools.Wait
}

// FindCallersOutput is what find_callers returns.
type FindCallersOutput struct {
	Name            string            `json:"name"`
	DefinitionFile  *string           `json:"definition_file"` // absolute; null if the name means nothing or too much
	DefinitionLine  *int              `json:"definition_line"`
	CallSites       []CallSite        `json:"call_sites"`                // by file, line and column
	FilteredCount   int               `json:"filtered_count"`            // references that are no calls
	Truncated       bool              `json:"truncated"`                 // there are more than max_results
	Warning         *string           `json:"warning"`                   // why the list is not what was asked for
	Total           int               `json:"total"`                     // call sites, also those left out
	Implementations *int              `json:"implementations,omitempty"` // of an interface's method
	Implements      []string          `json:"implements,omitempty"`      // the interfaces' methods that a method implements; others may call it through them
	Unresolved      []Mention         `json:"unresolved,omitempty"`      // places that may be calls, at most 50: the server does not know what they name
	UnresolvedTotal int               `json:"unresolved_total,omitempty"`
	Candidates      []query.Candidate `json:"candidates,omitempty"`
	Nearest         []string          `json:"nearest,omitempty"`
	Completeness    lsp.Completeness  `json:"completeness"`

	root    string
	symbol  string // as displayed
	values  int    // of Total
	unknown bool   // the calls were not known in time
	unread  bool   // Unresolved do mean the symbol, but how they use it is unknown
	problem string // what the name means instead of one function
}

// A CallSite is a place that calls, or takes the function as a value to be called elsewhere.
type CallSite struct {
	File          string   `json:"file"` // absolute
	Line          int      `json:"line"`
	Column        int      `json:"column"` // 1-based, in bytes
	Context       string   `json:"context"`
	ContextBefore []string `json:"context_before"`
	ContextAfter  []string `json:"context_after"`
	Kind          string   `json:"kind"`           // call, go, defer, value; "interface " before it if it depends on the value which method runs
	Via           string   `json:"via,omitempty"`  // the interface's method, or the function that a value is passed to
	Enclosing     string   `json:"enclosing"`      // declaration it stands in: "F", "T.M"; "" at the level of the file
	Test          bool     `json:"test,omitempty"` // in a test file
}

// A Mention is a place where a name stands that may or may not mean what was asked for.
type Mention struct {
	File    string `json:"file"` // absolute
	Line    int    `json:"line"`
	Column  int    `json:"column"` // 1-based, in bytes
	Context string `json:"context"`
}

// FindCallers lists the places that call a function or method.
func (t *Toolset) FindCallers(ctx context.Context, call tools.Call, in FindCallersInput) (*FindCallersOutput, error) {
	q, err := t.begin(ctx, call, in.Wait)
	if err != nil {
		return nil, err
	}
	out := &FindCallersOutput{Name: in.Name, CallSites: []CallSite{}, root: q.Root}
	r, err := q.Resolve(ctx, in.Name, calledKinds(q)...)
	if err != nil {
		return nil, err
	}
	if r.Found {
		if err := callers(ctx, q, r.Symbol, in, out); err != nil {
			return nil, err
		}
	} else {
		out.problem = q.NotFound(r, in.Name, "function or method")
		out.Candidates, out.Nearest = r.Candidates, r.Nearest
	}
	out.Completeness = q.Completeness(r)
	out.Warning = page.Warning(out.problem, out.Completeness)
	return out, nil
}

// calledKinds returns what a call may name, from what it is most likely to.
func calledKinds(q *query.Query) []query.Group {
	return []query.Group{
		query.OfKind(lsp.KindFunction, lsp.KindMethod, lsp.KindConstructor, lsp.KindOperator),
		query.OfKind(lsp.KindVariable, lsp.KindField, lsp.KindProperty),
		func(s lsp.Symbol) bool { return slices.Contains(q.Languages(s.Language).Made, s.Kind) },
	}
}

func callers(ctx context.Context, q *query.Query, symbol lsp.Symbol, in FindCallersInput, out *FindCallersOutput) error {
	found, err := q.CallSites(ctx, symbol)
	if err != nil {
		return err
	}
	line := symbol.Location.Range.Start.Line
	out.symbol, out.unknown = q.DisplayName(symbol), found.Unknown
	out.DefinitionFile, out.DefinitionLine = &symbol.Location.Path, &line
	out.FilteredCount, out.Total = found.References-len(found.Sites), len(found.Sites)
	out.Implements, out.values = found.Contracts, valuesAmong(found.Sites)
	if found.Abstract {
		out.Implementations = &found.Related
	}
	out.Truncated = out.Total > in.MaxResults
	found.Sites = found.Sites[:min(out.Total, in.MaxResults)]
	if err := q.Enclose(ctx, found.Sites); err != nil {
		return err
	}
	out.CallSites = slices.Grow(out.CallSites, len(found.Sites))
	for _, s := range found.Sites {
		site, err := callSite(q, s, in.ContextLines)
		if err != nil {
			return err
		}
		out.CallSites = append(out.CallSites, site)
	}
	out.UnresolvedTotal, out.unread = len(found.Unresolved), found.Unread
	for _, at := range found.Unresolved[:min(out.UnresolvedTotal, maxUnresolved)] {
		mention, err := mentionAt(q, at)
		if err != nil {
			return err
		}
		out.Unresolved = append(out.Unresolved, mention)
	}
	return nil
}

// mentionAt reads the line of a place that may be a call.
func mentionAt(q *query.Query, at lsp.Location) (Mention, error) {
	f, err := q.Source(at.Path)
	if err != nil {
		return Mention{}, err
	}
	start := at.Range.Start
	return Mention{File: at.Path, Line: start.Line, Column: start.Column, Context: excerpt.Clip(f.Line(start.Line))}, nil
}

// callSite reads the source around a site.
func callSite(q *query.Query, s query.Site, context int) (CallSite, error) {
	f, err := q.Source(s.At.Path)
	if err != nil {
		return CallSite{}, err
	}
	line := s.At.Range.Start.Line
	shown := CallSite{
		File: s.At.Path, Line: line, Column: s.At.Range.Start.Column, Context: excerpt.Clip(f.Line(line)),
		ContextBefore: []string{}, ContextAfter: []string{},
		Kind: s.Use.Kind, Via: s.Via, Enclosing: s.Use.Enclosing, Test: s.Use.Test,
	}
	for n := max(1, line-context); n < line; n++ {
		shown.ContextBefore = append(shown.ContextBefore, excerpt.Clip(f.Line(n)))
	}
	for n := line + 1; n <= min(line+context, f.Lines()); n++ {
		shown.ContextAfter = append(shown.ContextAfter, excerpt.Clip(f.Line(n)))
	}
	return shown, nil
}
