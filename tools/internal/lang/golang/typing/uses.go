package typing

import (
	"context"
	"slices"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
)

// fewOpen is how many places may be left open without a look at the standard library, which reads whole packages of it.
const fewOpen = 8

// A Named is all methods of a name, or those of them that have no parameters.
type Named struct {
	Name    string
	Niladic bool
}

// OpenUses lists the places in files at which such a method is called or taken as a value and the text leaves open which, or says that
// it is one of an interface. Files that the build at hand does not have are passed over. The places are kept for others who see the
// tree of the files in the same revision, if somebody vouches for its files: those of String in a million generated lines take a second to
// find. The caller must not change them. The error is that of files or of ctx.
func (r *Reader) OpenUses(ctx context.Context, of Named, tree int64, files func() ([]string, error)) ([]lsp.Location, error) {
	vouched := r.Revision != nil
	if uses, known := r.Memory.uses.get(tree, of); known && vouched {
		return uses, nil
	}
	all, err := files()
	if err != nil {
		return nil, err
	}
	var open []lsp.Location
	for _, path := range all {
		open = append(open, r.openIn(path, of)...)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	if len(open) > fewOpen {
		standard := r.withStandard()
		open = slices.DeleteFunc(open, func(at lsp.Location) bool { return ctx.Err() == nil && !standard.isOpen(at, of.Name) })
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if vouched {
		r.Memory.uses.put(tree, of, open)
	}
	return open, nil
}

// withStandard returns a Reader that also tells of what the standard library declares.
func (r *Reader) withStandard() *Reader {
	return &Reader{Files: r.Files, LeftOut: r.LeftOut, Memory: r.Memory, standard: r.Memory.standardLibrary()}
}

// openIn is OpenUses in one file, without the standard library.
func (r *Reader) openIn(path string, of Named) (open []lsp.Location) {
	f, err := r.Files.Open(path)
	if err != nil || r.isLeftOut(path) {
		return nil // the first has just gone
	}
	selected := f.Selected
	if of.Niladic {
		selected = f.Niladic
	}
	for _, p := range selected(of.Name) {
		use, ok := f.Use(p)
		if !ok || !use.Called() && use.Kind != syntax.Value {
			continue
		}
		if at := lsp.At(path, p.Line, p.Column); r.isOpen(at, of.Name) {
			open = append(open, at)
		}
	}
	return open
}

// isOpen reports whether the text leaves open what a place names, or says that it is the method of an interface.
func (r *Reader) isOpen(at lsp.Location, method string) bool {
	named, ok := r.Method(at, method)
	if !ok {
		return true
	}
	f, err := r.Files.Open(named.Path)
	if err != nil {
		return true
	}
	_, abstract := f.InterfaceOf(syntax.Position{Line: named.Line, Column: named.Column})
	return abstract
}
