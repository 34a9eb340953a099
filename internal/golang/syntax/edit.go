package syntax

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Unfit is a type of which no program has a value: what has it fits nowhere.
const Unfit = "struct{ unfit struct{} }"

// An Edit puts New in the place of the bytes of a file from Start up to End. It moves no line: New has as many line
// ends as what it replaces.
type Edit struct {
	Start, End int
	New        string
}

// A Revision is a change of one declaration as edits of its file. Those who break by it are elsewhere: new errors
// between From and To, if they are places, are the doing of the edits themselves, such as a body that does not return
// what its new signature says.
type Revision struct {
	Edits    []Edit
	From, To Position
}

// An EditError is the reason why a change cannot be written into a declaration.
type EditError struct {
	Name   string // of the declaration
	Reason string // "it has no parameters"
}

func unparsable(name string, err error) *EditError {
	return &EditError{name, "the result would not parse: " + strings.Split(err.Error(), "\n")[0]}
}

func (e *EditError) Error() string { return fmt.Sprintf("cannot edit %s: %s", e.Name, e.Reason) }

// Apply returns src with edits made, which may not overlap.
func Apply(src string, edits []Edit) string {
	var b strings.Builder
	last := 0
	for _, e := range slices.SortedStableFunc(slices.Values(edits), func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) }) {
		b.WriteString(src[last:e.Start] + e.New)
		last = e.End
	}
	return b.String() + src[last:]
}

// revise makes a revision of edits, if the file still parses with them as far as it does without.
func (f *File) revise(name string, own ast.Node, edits ...Edit) (Revision, error) {
	if err := f.breaks(edits); err != nil {
		return Revision{}, unparsable(name, err)
	}
	r := Revision{Edits: edits}
	if own != nil {
		r.From, r.To = f.position(own.Pos()), f.position(own.End())
	}
	return r, nil
}

// breaks returns the error of the syntax that edits make. Where all of them are within a declaration that parses alone, it alone is
// parsed again.
func (f *File) breaks(edits []Edit) error {
	start, end, ok := f.partAt(edits[0].Start)
	ok = ok && !slices.ContainsFunc(edits, func(e Edit) bool { return e.Start < start || e.End > end })
	if ok && f.parsePart(start, end).broken == nil {
		inside := make([]Edit, len(edits))
		for i, e := range edits {
			inside[i] = Edit{e.Start - start, e.End - start, e.New}
		}
		return newTree(1, f.Path, partClause+Apply(f.src[start:end], inside)).broken
	}
	broken := newTree(1, f.Path, Apply(f.src, edits)).broken
	if broken != nil && f.Broken() != nil {
		return nil
	}
	return broken
}

// insert puts text before a place.
func (f *File) insert(at token.Pos, text string) Edit {
	offset := f.offsetOf(at)
	return Edit{offset, offset, text}
}

// replace puts text in the place of what stands between two places, followed by the line ends of what it replaces.
func (f *File) replace(from, to token.Pos, text string) Edit {
	start, end := f.offsetOf(from), f.offsetOf(to)
	return Edit{start, end, text + strings.Repeat("\n", strings.Count(f.src[start:end], "\n"))}
}

// named returns the identifier that a declaration is known by: the name that it declares, or that of the type that a
// field embeds.
func (f *File) named(at Position) (inspector.Cursor, *ast.Ident, error) {
	c, ok := f.identifier(at)
	id, isName := identOf(c, ok)
	if !isName || !declares(c) && !embeds(c) {
		return c, nil, &EditError{fmt.Sprintf("line %d of %s", at.Line, f.Path), "no declaration stands there"}
	}
	return c, id, nil
}

func identOf(c inspector.Cursor, ok bool) (*ast.Ident, bool) {
	if !ok {
		return nil, false
	}
	id, ok := c.Node().(*ast.Ident)
	return id, ok
}

// embeds reports whether c is the name of a type that a struct or interface embeds.
func embeds(c inspector.Cursor) bool {
	named := skip(c, embedding)
	field, ok := named.Parent().Node().(*ast.Field)
	return ok && named.ParentEdgeKind() == edge.Field_Type && len(field.Names) == 0 && fieldKind(named.Parent()) == Embedded
}

// embedding returns the edges from the name of a type to the type that is embedded: *T, p.T, G[T].
func embedding(k edge.Kind) bool {
	switch k {
	case edge.StarExpr_X, edge.SelectorExpr_Sel, edge.IndexExpr_X, edge.IndexListExpr_X, edge.ParenExpr_X:
		return true
	}
	return false
}

// Rename gives what is declared at a place another name, there and nowhere else.
func (f *File) Rename(at Position, name string) (Revision, error) {
	c, id, err := f.named(at)
	if err != nil {
		return Revision{}, err
	}
	if !declares(c) {
		return Revision{}, &EditError{id.Name, "an embedded type is called as its declaration says"}
	}
	return f.revise(id.Name, nil, f.replace(id.Pos(), id.End(), name))
}

// RenameUse gives what is named at a place another name there; false if no name stands there.
func (f *File) RenameUse(at Position, name string) (Edit, bool) {
	c, ok := f.identifier(at)
	id, ok := identOf(c, ok)
	if !ok {
		return Edit{}, false
	}
	return f.replace(id.Pos(), id.End(), name), true
}

// Delete takes the name of what is declared at a place away. What it leaves refers to all that it did, so that no
// import loses its use; of members nothing is left.
func (f *File) Delete(at Position) (Revision, error) {
	c, id, err := f.named(at)
	if err != nil {
		return Revision{}, err
	}
	if field, ok := memberAt(c); ok {
		return f.removeMember(field, id)
	}
	return f.revise(id.Name, c.Parent().Node(), f.replace(id.Pos(), id.End(), "_"))
}

// Import brings a package into the file under a name, in the line of its package clause.
func (f *File) Import(name, path string) (Revision, error) {
	if f.head.Name == nil {
		return Revision{}, errors.New("the file has no package clause")
	}
	at := int(f.head.Name.End() - f.head.FileStart)
	edit := Edit{at, at, fmt.Sprintf("; import %s %q", name, path)}
	_, was := parser.ParseFile(token.NewFileSet(), f.Path, f.src, parser.ImportsOnly)
	if _, err := parser.ParseFile(token.NewFileSet(), f.Path, Apply(f.src, []Edit{edit}), parser.ImportsOnly); err != nil && was == nil {
		return Revision{}, unparsable(name, err)
	}
	return Revision{Edits: []Edit{edit}}, nil
}
