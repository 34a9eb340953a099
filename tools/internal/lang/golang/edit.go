package golang

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// revisionOf writes a change of the declaration that n is as edits. It fails with a *graph.Refusal if it cannot be tried out.
func revisionOf(g explorer, n scout.Node, c scout.Change) (revision, error) {
	l := g.Located(n)
	f, err := g.Files.Open(l.Path)
	if err != nil {
		return revision{}, err
	}
	s, ok := subjectAt(f, place(l))
	if !ok {
		return revision{}, &graph.Refusal{Reason: n.Name + " is no declaration that could be changed"}
	}
	switch {
	case isLeftOut(l.Path):
		return revision{}, &graph.Refusal{Reason: n.Path + " is built for another system only"}
	case passedOver(n.Path):
		return revision{}, &graph.Refusal{Reason: n.Path + " is in a directory that no build looks into"}
	}
	e := &editor{graph: g, file: f, at: place(l), name: s.name, change: c}
	made, err := e.revise(s)
	var impossible *syntax.EditError
	if errors.As(err, &impossible) {
		err = &graph.Refusal{Reason: impossible.Error(), Senseless: !s.takes(c.Kind)}
	}
	return made, err
}

// An editor writes one change of one declaration.
type editor struct {
	graph  explorer
	file   *syntax.File
	at     syntax.Position
	name   string // without the type that it belongs to
	change scout.Change
}

func (e *editor) revise(s subject) (revision, error) {
	switch e.change.Kind {
	case scout.AddParameter:
		if optional(e.change) {
			return e.made(e.file.AddOptional(e.at))
		}
		return e.made(e.file.AddParameter(e.at))
	case scout.ChangeSignature:
		return e.signature()
	case scout.ReturnError:
		return e.made(e.file.AddResult(e.at, "error"))
	case scout.AddMethod:
		return e.made(e.file.AddMethod(e.at, e.method()))
	case scout.RemoveField:
		at, err := e.field(s)
		if err != nil {
			return revision{}, err
		}
		return e.made(e.file.RemoveMember(at))
	case scout.ChangeType:
		return e.retype()
	case scout.Rename:
		return e.made(e.file.Rename(e.at, e.newName()))
	case scout.Delete:
		return e.made(e.file.Delete(e.at))
	}
	return revision{}, &graph.Refusal{Reason: "it compiles as it is, so that no compiler tells what misses it"}
}

// made turns a revision of the file for the draft.
func (e *editor) made(from syntax.Revision, err error) (revision, error) {
	if err != nil {
		return revision{}, err
	}
	var to revision
	for _, edit := range from.Edits {
		to.edits = append(to.edits, lsp.Edit{Path: e.file.Path, Start: edit.Start, End: edit.End, New: edit.New})
	}
	if from.To != (syntax.Position{}) {
		own := at(e.file, from.From)
		own.Range.End = at(e.file, from.To).Range.Start
		to.own = append(to.own, own)
	}
	return to, nil
}

// signature changes parameters and results as the change says; if it says nothing, so that no call fits.
func (e *editor) signature() (revision, error) {
	for _, said := range []string{e.change.Terms.To, e.change.Detail} {
		if signature, ok := signatureIn(said); ok {
			return e.made(e.file.Signature(e.at, signature))
		}
	}
	if says(e.change.Detail, "result", "return") && !says(e.change.Detail, "param", "arg") {
		return e.made(e.file.AddResult(e.at, syntax.Unfit))
	}
	return e.made(e.file.AddParameter(e.at))
}

// signatureIn finds a signature in words: "func(int) error", "F(a int) error", "(a int) error".
func signatureIn(words string) (string, bool) {
	open := strings.IndexByte(words, '(')
	if open < 0 {
		return "", false
	}
	signature := "func" + strings.Join(strings.Fields(words[open:]), " ")
	for len(signature) > 0 {
		expr, err := parser.ParseExpr(signature)
		if _, ok := expr.(*ast.FuncType); ok && err == nil {
			return signature, true
		}
		signature = signature[:max(0, strings.LastIndexAny(signature, " .,;"))]
	}
	return "", false
}

// method is what an interface is to ask for: what the change says if it says it whole, else one that nothing has.
func (e *editor) method() string {
	name, _, ok := strings.Cut(strings.TrimSpace(e.change.Detail), "(")
	if ok && token.IsIdentifier(name) {
		if signature, ok := signatureIn(e.change.Detail); ok {
			return name + strings.TrimPrefix(signature, "func")
		}
	}
	if token.IsExported(e.name) {
		return "NewMethod(" + syntax.Unfit + ")"
	}
	return "newMethod(" + syntax.Unfit + ")"
}

// newName is the name that the change says, or one that nothing has.
func (e *editor) newName() string {
	if to := query.BaseOf(e.change.Terms.To); token.IsIdentifier(to) {
		return to
	}
	if detail := strings.TrimSpace(e.change.Detail); token.IsIdentifier(detail) {
		return detail
	}
	return e.name + "Renamed"
}

// field is the field to remove: what was asked about, or the one of a struct that the change names.
func (e *editor) field(s subject) (syntax.Position, error) {
	if s.kind != ofStruct {
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
	return syntax.Position{}, &graph.Refusal{Reason: "which field of " + e.name + " is not said; ask about it by name, as " + e.name + ".Field"}
}

// optional reports whether a change adds what callers may leave out.
func optional(c scout.Change) bool { return says(c.Detail, "...", "variadic", "optional") }

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
