// Package edit expresses a change of a Go declaration as edits of source text, so that a compiler can show what they
// break.
package edit

import (
	"cmp"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// A Revision is a change of declarations, written as edits of source text.
type Revision struct {
	Edits  []lsp.Edit
	Own    []lsp.Location // where new errors are the doing of the edits, but for those about calls of Name
	Name   string         // of the function that has another signature; "": it is none
	Notes  []string       // what of the change they leave out
	Unread string         // why nothing is to be learned from a compiler that cannot read the edits; "": it can
}

// Add joins another revision.
func (r *Revision) Add(other Revision) {
	r.Edits = append(r.Edits, other.Edits...)
	r.Own = append(r.Own, other.Own...)
	r.Notes = append(r.Notes, other.Notes...)
	r.Name = cmp.Or(r.Name, other.Name)
}

// Breaks reports whether an error is what a change breaks elsewhere, or where a function calls itself.
func (r *Revision) Breaks(p lsp.Problem) bool {
	if r.Name != "" && aboutCalls().MatchString(strings.ReplaceAll(p.Message, r.Name, "§")) {
		return true
	}
	return !slices.ContainsFunc(r.Own, func(own lsp.Location) bool { return own.Path == p.Path && query.Covers(own.Range, p.At) })
}

// aboutCalls matches what a compiler says of calls of §.
var aboutCalls = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(call|argument) to ([\pL\pN_.()*]+\.)?§($|[^\pL\pN_])|(^|[^\pL\pN_])§(\(.*\))? returns `)
})

// Of writes a change of the declaration s, which stands at a place of a file that people call shown. It fails with a
// *graph.Refusal if the change cannot be tried out.
func Of(f *syntax.File, shown string, at syntax.Position, s Subject, c scout.Change, files *syntax.Reading) (Revision, error) {
	e := &editor{files: files, file: f, shown: shown, at: at, name: s.Name, change: c}
	made, err := e.revise(s)
	var impossible *syntax.EditError
	if errors.As(err, &impossible) {
		senseless := !s.takes(c.Kind)
		err = &graph.Refusal{Reason: impossible.Error(), Senseless: senseless, Unclear: !senseless}
	}
	return made, err
}

// An editor writes one change of one declaration.
type editor struct {
	files  *syntax.Reading
	file   *syntax.File
	shown  string // the path of file, for people
	at     syntax.Position
	name   string // without the type that it belongs to
	change scout.Change
}

func (e *editor) revise(s Subject) (Revision, error) {
	switch e.change.Kind {
	case scout.AddParameter:
		return e.addParameter()
	case scout.ChangeSignature:
		return e.signature()
	case scout.RemoveParameter, scout.RetypeParameter, scout.ReorderParameters, scout.RenameParameter, scout.MakeVariadic, scout.RemoveResult:
		return e.reshape()
	case scout.ChangeReceiver:
		return e.receiver()
	case scout.MakeGeneric:
		return e.generic(s)
	case scout.ReturnError:
		return e.made(e.file.AddResult(e.at, "error"))
	case scout.AddMethod:
		if s.Kind != Interface {
			return e.addMethod()
		}
		return e.made(e.file.AddMethod(e.at, e.method()))
	case scout.AddField:
		return e.addField()
	case scout.RemoveField:
		at, err := e.field(s)
		if err != nil {
			return Revision{}, err
		}
		return e.made(e.file.RemoveMember(at))
	case scout.ChangeType:
		return e.retype()
	case scout.Rename:
		return e.made(e.file.Rename(e.at, e.newName()))
	case scout.Delete, scout.Move:
		return e.made(e.file.Delete(e.at))
	}
	return Revision{}, &graph.Refusal{Reason: "it compiles as it is, so that no compiler tells what misses it"}
}

// made turns a revision of the file for the draft.
func (e *editor) made(from syntax.Revision, err error) (Revision, error) {
	if err != nil {
		return Revision{}, err
	}
	to := Revision{Name: e.name}
	for _, edit := range from.Edits {
		to.Edits = append(to.Edits, lsp.Edit{Path: e.file.Path, Start: edit.Start, End: edit.End, New: edit.New})
	}
	if from.To != (syntax.Position{}) {
		own := lsp.At(e.file.Path, from.From.Line, from.From.Column)
		own.Range.End = lsp.Position{Line: from.To.Line, Column: from.To.Column}
		to.Own = append(to.Own, own)
	}
	return to, nil
}

// signatureIn finds a signature in words: "func(int) error", "F(a int) error", "(a int) error".
func signatureIn(words string) (string, bool) {
	open := strings.IndexByte(words, '(')
	if open < 0 {
		return "", false
	}
	signature := "func" + strings.Join(strings.Fields(strings.NewReplacer("?", " ", "!", " ", "`", " ").Replace(words[open:])), " ")
	for len(signature) > 0 {
		expr, err := parser.ParseExpr(signature)
		if _, ok := expr.(*ast.FuncType); ok && err == nil {
			return signature, true
		}
		signature = signature[:max(0, strings.LastIndexAny(signature, " .,;"))]
	}
	return "", false
}

// method returns what an interface is to ask for: what the change says if it says it whole, else one that nothing has.
func (e *editor) method() string {
	if method := e.methodSaid(); method != "" {
		return method
	}
	if token.IsExported(e.name) {
		return "NewMethod(" + syntax.Unfit + ")"
	}
	return "newMethod(" + syntax.Unfit + ")"
}

// methodSaid returns the method that the detail writes out; "" if it does not.
func (e *editor) methodSaid() string {
	name, _, ok := strings.Cut(strings.TrimSpace(e.change.Detail), "(")
	if ok && token.IsIdentifier(name) {
		if signature, ok := signatureIn(e.change.Detail); ok {
			return name + strings.TrimPrefix(signature, "func")
		}
	}
	return ""
}

// newName returns the name that the change says, or one that nothing has.
func (e *editor) newName() string {
	if to := query.BaseOf(e.change.Terms.To); token.IsIdentifier(to) {
		return to
	}
	if detail := strings.TrimSpace(e.change.Detail); token.IsIdentifier(detail) {
		return detail
	}
	return e.name + "Renamed"
}

// field returns the field to remove: what was asked about, or the one of a struct that the change names.
func (e *editor) field(s Subject) (syntax.Position, error) {
	if s.Kind != Struct {
		return e.at, nil
	}
	t, _ := e.file.Type(e.at)
	for _, wanted := range []string{e.change.Terms.Member, strings.TrimSpace(e.change.Detail)} {
		for _, m := range t.Members {
			switch {
			case wanted == "" || m.Name != query.BaseOf(wanted):
			case m.Embedded:
				return m.Target, nil
			default:
				return m.At, nil
			}
		}
	}
	return syntax.Position{}, graph.Unclear("which field of %s is not said; ask about it by name, as %[1]s.Field", e.name)
}

// Optional reports whether a change adds what callers may leave out.
func Optional(c scout.Change) bool { return says(c.Detail, "...", "variadic", "optional") }

// says reports whether a text has one of words in it, in any capitals.
func says(text string, words ...string) bool {
	text = strings.ToLower(text)
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
