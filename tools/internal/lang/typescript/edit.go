package typescript

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// unfit is a type that no value has.
const unfit = "{ readonly __unfit: never }"

// Names that edits introduce. An underscore in front keeps the compiler from complaining that they are not used.
const (
	added   = "__added"
	renamed = "__renamed"
)

// A revision is a change of a declaration as edits, which move no line: what takes the place of several has as many. Its
// zero value changes nothing.
type revision struct {
	edits []lsp.Edit
	// exported says that modules no longer export the name, and renamed what they export instead; "": nothing.
	exported bool
	renamed  string
	unread   string // why nothing is to be learned from a compiler that cannot read the edits; "": it can
}

// An editor writes a change into what a name declares.
type editor struct {
	q    *query.Query
	path string
	file *lexer.File
	name lexer.Token
}

func refuse(format string, args ...any) error {
	return &graph.Refusal{Reason: fmt.Sprintf(format, args...)}
}

// senseless refuses a change that cannot be made to such a declaration at all.
func senseless(format string, args ...any) error {
	return &graph.Refusal{Reason: fmt.Sprintf(format, args...), Senseless: true}
}

// revise writes a change into the declaration at a place. A *graph.Refusal says why that is not possible.
func revise(ctx context.Context, q *query.Query, c scout.Change, at lsp.Location) (revision, error) {
	if script(at.Path) {
		return revision{}, refuse("no compiler checks JavaScript")
	}
	f, err := q.Lexed.Open(at.Path)
	if err != nil {
		return revision{}, err
	}
	e := editor{q: q, path: at.Path, file: f, name: tokenIn(f, at)}
	if k := e.name.Kind(); k != lexer.Name && k != lexer.Keyword && k != lexer.String {
		return revision{}, refuse("no name stands at %s:%d", q.Relative(at.Path), at.Range.Start.Line)
	}
	var edits []lsp.Edit
	switch c.Kind {
	case scout.AddParameter, scout.ChangeSignature:
		return e.signature(c)
	case scout.RemoveParameter, scout.RetypeParameter, scout.ReorderParameters, scout.MakeVariadic:
		return e.reshape(c)
	case scout.RenameParameter: // arguments are given by position
		return revision{}, nil
	case scout.RemoveResult:
		return e.retype("void")
	case scout.ChangeReceiver:
		return revision{}, senseless("methods have no receiver that is a value or a pointer")
	case scout.MakeGeneric:
		return e.generic()
	case scout.AddField:
		return e.addField(c)
	case scout.Move: // who imports it finds it no more
		edits, err = e.remove()
	case scout.AddMethod:
		edits, err = e.addMember(c.Terms.Member)
	case scout.RemoveField, scout.Delete:
		edits, err = e.remove()
		return revision{edits: edits, exported: true}, err
	case scout.Rename:
		name := nameOr(c.Terms.To, renamed)
		return revision{edits: e.rename(name), exported: true, renamed: name}, nil
	case scout.ChangeType:
		return e.retype(cmp.Or(c.Terms.To, c.Detail))
	case scout.AddVariant:
		edits, err = e.addVariant(ctx)
	case scout.AddImplementation:
		if t, ok := typeNamed(f, at.Path, e.name); ok && t.word == "type" { // of a union it is an alternative
			edits, err = e.addVariant(ctx)
			break
		}
		err = refuse("no compiler notices a type more")
	default:
		err = refuse("a compiler of TypeScript sees nothing of this kind of change")
	}
	return revision{edits: edits}, err
}

// signature changes what a function takes, or what it returns, as far as the words say so.
func (e editor) signature(c scout.Change) (revision, error) {
	if c.Kind == scout.AddParameter {
		edits, err := e.addParameter(c.Terms.Position)
		return revision{edits: edits}, err
	}
	if madeOf(c.Terms.To) {
		return e.retype(c.Terms.To)
	}
	if edits, err := e.removeParameter(c.Terms.Member); len(edits) > 0 || err != nil {
		return revision{edits: edits}, err
	}
	return revision{}, graph.Unclear("the new signature is not said")
}

// insert puts text at an offset.
func (e editor) insert(at int, text string) lsp.Edit {
	return lsp.Edit{Path: e.path, Start: at, End: at, New: text}
}

// replace puts text in the place of what stands between two offsets, followed by the ends of its lines.
func (e editor) replace(start, end int, text string) lsp.Edit {
	return lsp.Edit{Path: e.path, Start: start, End: end, New: text + strings.Repeat("\n", strings.Count(e.file.Text(start, end), "\n"))}
}

// siblings returns the declarations of the name in its scope: overloads, the getter of a setter, merged interfaces.
func (e editor) siblings() []lexer.Token {
	var all []lexer.Token
	for t := range e.file.Mentions(e.name.Text()) {
		if t.Text() == e.name.Text() && t.Outer() == e.name.Outer() && (t == e.name || declares(t)) {
			all = append(all, t)
		}
	}
	return all
}

func (e editor) rename(to string) []lsp.Edit {
	var edits []lsp.Edit
	for _, t := range e.siblings() {
		text := to
		if t.Kind() == lexer.String {
			text = `"` + to + `"`
		}
		edits = append(edits, e.replace(t.Start(), t.End(), text))
	}
	return edits
}

// nameOr returns what words call a name if it can be one, else another.
func nameOr(words, other string) string {
	t := lexer.Parse("a.ts", []byte(words)).First()
	if t.Kind() == lexer.Name && t.Text() == words {
		return words
	}
	return other
}

// madeOf reports whether words can be a type: their brackets match, and no name follows another.
func madeOf(words string) bool {
	f := lexer.Parse("a.ts", []byte(words))
	before := lexer.Token{}
	for _, t := range f.Tokens() {
		switch {
		case t.Kind() == lexer.Comment, t.Is(";", "="), t.Is("(", "[", "{", ")", "]", "}") && t.Match().Kind() == 0:
			return false
		case before.Kind() == lexer.Name && t.Kind() == lexer.Name:
			return false
		}
		before = t
	}
	return before.Kind() != 0
}

// A placed is a member with where it stands.
type placed struct {
	member
	first, last lexer.Token // what separates it from the next one included
}

// placedMembers lists the members between braces.
func placedMembers(f *lexer.File, open lexer.Token) []placed {
	var all []placed
	end := open.Match()
	for t := open.Next(); t.Kind() != 0 && t != end; {
		m, next := readMember(f, t, end)
		if next.Start() <= t.Start() {
			next = t.Next()
		}
		placed := placed{m, t, next.Prev()}
		if next.Is(";", ",") {
			placed.last, next = next, next.Next()
		}
		all = append(all, placed)
		t = next
	}
	return all
}

// member returns the declarations of the member that the name is; none if it is no member.
func (e editor) member() []placed {
	body := e.name.Outer()
	if !body.Is("{") || !holdsBody(body) && !objectType(body) {
		return nil
	}
	all := placedMembers(e.file, body)
	i := slices.IndexFunc(all, func(m placed) bool { return m.name == e.name })
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(all, func(m placed) bool {
		return m.label != all[i].label || m.has("static") != all[i].has("static")
	})
}

// parameterProperty returns the parameter of a constructor that declares the name as a property; false if none does.
func (e editor) parameterProperty() (param, bool) {
	open := e.name.Outer()
	if !open.Is("(") || !open.Prev().Is("constructor") {
		return param{}, false
	}
	for _, p := range params(e.file, open) {
		if p.name == e.name && p.property() {
			return p, true
		}
	}
	return param{}, false
}
