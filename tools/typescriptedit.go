package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
)

// tsUnfit is a type that no value has.
const tsUnfit = "{ readonly __unfit: never }"

// Names that edits introduce. An underscore in front keeps the compiler from complaining that they are not used.
const (
	tsAdded   = "__added"
	tsRenamed = "__renamed"
)

// A tsRevision is a change of a declaration as edits, which move no line: what takes the place of several has as many. Its
// zero value changes nothing.
type tsRevision struct {
	edits []lsp.Edit
	// exported says that modules no longer export the name, and renamed what they export instead; "": nothing.
	exported bool
	renamed  string
	guess    string // what of the change is not as the words say; "": nothing
	unread   string // why nothing is to be learned from a compiler that cannot read the edits; "": it can
}

// A tsEditor writes a change into what a name declares.
type tsEditor struct {
	q    *Inquiry
	path string
	file *lexer.File
	name lexer.Token
}

func refuse(format string, args ...any) error { return &Refusal{Reason: fmt.Sprintf(format, args...)} }

// senseless refuses a change that cannot be made to such a declaration at all.
func senseless(format string, args ...any) error {
	return &Refusal{Reason: fmt.Sprintf(format, args...), Senseless: true}
}

// tsRevise writes a change into the declaration at a place. A *refusal says why that is not possible.
func tsRevise(ctx context.Context, q *Inquiry, c scout.Change, at lsp.Location) (tsRevision, error) {
	if tsScript(at.Path) {
		return tsRevision{}, refuse("no compiler checks JavaScript")
	}
	f, err := q.Lexed.Open(at.Path)
	if err != nil {
		return tsRevision{}, err
	}
	e := tsEditor{q: q, path: at.Path, file: f, name: tsTokenIn(f, at)}
	if k := e.name.Kind(); k != lexer.Name && k != lexer.Keyword && k != lexer.String {
		return tsRevision{}, refuse("no name stands at %s:%d", q.Relative(at.Path), at.Range.Start.Line)
	}
	var edits []lsp.Edit
	switch c.Kind {
	case scout.AddParameter, scout.ChangeSignature:
		return e.signature(c)
	case scout.AddMethod:
		edits, err = e.addMember(c.Terms.Member)
	case scout.RemoveField, scout.Delete:
		edits, err = e.remove()
		return tsRevision{edits: edits, exported: true}, err
	case scout.Rename:
		name := tsNameOr(c.Terms.To, tsRenamed)
		return tsRevision{edits: e.rename(name), exported: true, renamed: name}, nil
	case scout.ChangeType:
		return e.retype(cmp.Or(c.Terms.To, c.Detail))
	case scout.AddVariant:
		edits, err = e.addVariant(ctx)
	case scout.AddImplementation:
		if t, ok := tsTypeNamed(f, at.Path, e.name); ok && t.word == "type" { // of a union it is an alternative
			edits, err = e.addVariant(ctx)
			break
		}
		err = refuse("no compiler notices a type more")
	default:
		err = refuse("a compiler of TypeScript sees nothing of this kind of change")
	}
	return tsRevision{edits: edits}, err
}

// signature changes what a function takes, or what it returns, as far as the words say so.
func (e tsEditor) signature(c scout.Change) (tsRevision, error) {
	if c.Kind == scout.AddParameter {
		edits, err := e.addParameter(c.Terms.Position)
		return tsRevision{edits: edits}, err
	}
	if tsMadeOf(c.Terms.To) {
		return e.retype(c.Terms.To)
	}
	if edits, err := e.removeParameter(c.Terms.Member); len(edits) > 0 || err != nil {
		return tsRevision{edits: edits}, err
	}
	return tsRevision{}, refuse("the words do not say what the new signature is")
}

// insert puts text at an offset.
func (e tsEditor) insert(at int, text string) lsp.Edit {
	return lsp.Edit{Path: e.path, Start: at, End: at, New: text}
}

// replace puts text in the place of what stands between two offsets, followed by the ends of its lines.
func (e tsEditor) replace(start, end int, text string) lsp.Edit {
	return lsp.Edit{Path: e.path, Start: start, End: end, New: text + strings.Repeat("\n", strings.Count(e.file.Text(start, end), "\n"))}
}

// siblings are the declarations of the name in its scope: overloads, the getter of a setter, merged interfaces.
func (e tsEditor) siblings() []lexer.Token {
	var all []lexer.Token
	for t := range e.file.Mentions(e.name.Text()) {
		if t.Text() == e.name.Text() && t.Outer() == e.name.Outer() && (t == e.name || tsDeclares(t)) {
			all = append(all, t)
		}
	}
	return all
}

func (e tsEditor) rename(to string) []lsp.Edit {
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

// tsNameOr is what words call a name if it can be one, else another.
func tsNameOr(words, other string) string {
	t := lexer.Parse("a.ts", []byte(words)).First()
	if t.Kind() == lexer.Name && t.Text() == words {
		return words
	}
	return other
}

// tsMadeOf says whether words can be a type: their brackets match, and no name follows another.
func tsMadeOf(words string) bool {
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

// A tsPlaced is a member with where it stands.
type tsPlaced struct {
	tsMember
	first, last lexer.Token // what separates it from the next one included
}

// tsPlacedMembers lists the members between braces.
func tsPlacedMembers(f *lexer.File, open lexer.Token) []tsPlaced {
	var all []tsPlaced
	end := open.Match()
	for t := open.Next(); t.Kind() != 0 && t != end; {
		m, next := tsReadMember(f, t, end)
		if next.Start() <= t.Start() {
			next = t.Next()
		}
		placed := tsPlaced{m, t, next.Prev()}
		if next.Is(";", ",") {
			placed.last, next = next, next.Next()
		}
		all = append(all, placed)
		t = next
	}
	return all
}

// member are the declarations of the member that the name is; none if it is no member.
func (e tsEditor) member() []tsPlaced {
	body := e.name.Outer()
	if !body.Is("{") || !tsBody(body) && !tsObjectType(body) {
		return nil
	}
	all := tsPlacedMembers(e.file, body)
	i := slices.IndexFunc(all, func(m tsPlaced) bool { return m.name == e.name })
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(all, func(m tsPlaced) bool {
		return m.label != all[i].label || m.has("static") != all[i].has("static")
	})
}

// parameterProperty is the parameter of a constructor that declares the name as a property; false if none does.
func (e tsEditor) parameterProperty() (tsParam, bool) {
	open := e.name.Outer()
	if !open.Is("(") || !open.Prev().Is("constructor") {
		return tsParam{}, false
	}
	for _, p := range tsParams(e.file, open) {
		if p.name == e.name && p.property() {
			return p, true
		}
	}
	return tsParam{}, false
}
