package typing

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// fewOpen is how many places may be left open without a look at the standard library, which reads whole packages of it.
const fewOpen = 8

// A Named is all methods of a name, or those of them that have no parameters.
type Named struct {
	Name    string
	Niladic bool
}

// An OpenUse is a place at which a method is called or taken as a value.
type OpenUse struct {
	At    lsp.Location
	Names query.Spot // the method of an interface, as the text says, or [ErrorMethod]; zero: the text leaves it open
}

// readTogether is how many files are read at a time: each may have megabytes.
const readTogether = 2

// OpenUses lists the places in files at which such a method is called or taken as a value and the text leaves open which, or says that
// it is one of an interface. Files that the build at hand does not have are passed over. The places are kept for others who see the
// tree of the files in the same revision, if somebody vouches for its files: those of String in a million generated lines take a second to
// find. The caller must not change them. The error is that of files or of ctx.
func (r *Reader) OpenUses(ctx context.Context, of Named, tree int64, files func() ([]string, error)) ([]OpenUse, error) {
	vouched := r.Revision != nil
	if uses, known := kept[[]OpenUse](&r.Memory.tree, tree, of); known && vouched {
		return uses, nil
	}
	all, err := files()
	if err != nil {
		return nil, err
	}
	open, err := eachFile(ctx, all, func(path string) []OpenUse { return r.openIn(path, of) })
	if err != nil {
		return nil, err
	}
	if unknown := slices.DeleteFunc(slices.Clone(open), OpenUse.known); len(unknown) > fewOpen {
		open = r.withStandard().narrow(ctx, open, of.Name)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if vouched {
		r.Memory.tree.keep(tree, of, open, len(open))
	}
	return open, nil
}

func (u OpenUse) known() bool { return u.Names != query.Spot{} }

// narrow looks once more at what was left open, and keeps what is still open. It changes all.
func (r *Reader) narrow(ctx context.Context, all []OpenUse, method string) []OpenUse {
	kept := all[:0]
	for _, u := range all {
		if u.known() || ctx.Err() != nil || r.look(&u, method) {
			kept = append(kept, u)
		}
	}
	return kept
}

// eachFile returns what is found in files, in their order. The error is that of ctx.
func eachFile[T any](ctx context.Context, paths []string, find func(path string) []T) ([]T, error) {
	found := make([][]T, len(paths))
	var group errgroup.Group
	group.SetLimit(readTogether)
	for i, path := range paths {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			found[i] = find(path)
			return nil
		})
	}
	_ = group.Wait() // nothing returns an error
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return slices.Concat(found...), nil
}

// withStandard returns a Reader that also tells of what the standard library declares.
func (r *Reader) withStandard() *Reader {
	return &Reader{Files: r.Files, LeftOut: r.LeftOut, Memory: r.Memory, standard: r.Memory.standardLibrary()}
}

// openIn is OpenUses in one file, without the standard library.
func (r *Reader) openIn(path string, of Named) (open []OpenUse) {
	f, err := r.Files.Open(path)
	if err != nil || r.LeftOut(path) {
		return nil // the first has just gone
	}
	selected := f.Selected
	if of.Niladic {
		selected = f.Niladic
	}
	for _, p := range selected(of.Name) {
		if typ, ok := f.ReceiverOperand(p); ok {
			if _, declared := r.ownMethod(named{ownPackage(f.Scope), typ}, of.Name); declared {
				continue
			}
		}
		u := OpenUse{At: lsp.At(path, p.Line, p.Column)}
		use, _, ok, err := r.Use(u.At)
		if err != nil || !ok || !use.Called() && use.Kind != syntax.Value {
			continue
		}
		if r.look(&u, of.Name) {
			open = append(open, u)
		}
	}
	return open
}

// look notes which method of an interface a place names, if the text tells. It reports false if it names something else.
func (r *Reader) look(u *OpenUse, method string) bool {
	named, ok := r.Method(u.At, method)
	if !ok {
		return true
	}
	if !r.isAbstract(named) {
		return false
	}
	if r.standard == "" || named == ErrorMethod() { // a server may call the standard library's files otherwise
		u.Names = named
	}
	return true
}
