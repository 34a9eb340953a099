package typing

import (
	"context"
	"go/token"
	"path/filepath"
	"slices"
	"sync/atomic"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
)

// UnnamedInterfaces lists where interfaces without a name of their own in a package declare a method of a name, in files that the build
// at hand has. The places are kept as those of OpenUses are. The error is that of files or of ctx.
func (r *Reader) UnnamedInterfaces(ctx context.Context, method string, tree int64, files func() ([]string, error)) ([]lsp.Location, error) {
	vouched := r.Revision != nil
	if all, known := kept[[]lsp.Location](&r.Memory.tree, tree, unnamed(method)); known && vouched {
		return all, nil
	}
	paths, err := files()
	if err != nil {
		return nil, err
	}
	all, err := eachFile(ctx, paths, func(path string) (all []lsp.Location) {
		f, ok := r.withUnnamed(path)
		if !ok || r.LeftOut(path) {
			return nil
		}
		for _, p := range f.LocalInterfaces(method) {
			all = append(all, lsp.At(path, p.Line, p.Column))
		}
		return all
	})
	if err == nil && vouched {
		r.Memory.tree.keep(tree, unnamed(method), all, len(all))
	}
	return all, err
}

// MayMake reports whether a file may embed a type of a name, or make another one of it, as the texts look. It is kept as the open uses are.
// The error is that of files or of ctx.
func (r *Reader) MayMake(ctx context.Context, name string, tree int64, files func() ([]string, error)) (bool, error) {
	return r.may(ctx, making{name: name}, tree, files, func(f *syntax.File) bool { return f.MayMake(name) })
}

// MayEmbed is MayMake of types that embed the type alone.
func (r *Reader) MayEmbed(ctx context.Context, name string, tree int64, files func() ([]string, error)) (bool, error) {
	return r.may(ctx, making{name, true}, tree, files, func(f *syntax.File) bool { return f.MayMake(name) && f.MayEmbed(name) }) // the first parses nothing
}

func (r *Reader) may(ctx context.Context, of making, tree int64, files func() ([]string, error), look func(*syntax.File) bool) (bool, error) {
	vouched := r.Revision != nil
	if is, known := kept[bool](&r.Memory.tree, tree, of); known && vouched {
		return is, nil
	}
	paths, err := files()
	if err != nil {
		return false, err
	}
	var found atomic.Bool
	_, err = eachFile(ctx, paths, func(path string) []bool {
		if found.Load() {
			return nil
		}
		if f, err := r.Files.Open(path); err == nil && look(f) {
			found.Store(true)
		}
		return nil
	})
	if err == nil && vouched {
		r.Memory.tree.keep(tree, of, found.Load(), 0)
	}
	return found.Load(), err
}

// MayAskFor reports whether an interface may ask for the method of a name that a package declares in a file, as far as the text of that
// package says: for one of a name without a capital only its own interfaces can.
func (r *Reader) MayAskFor(path, method string) bool {
	if token.IsExported(method) {
		return true
	}
	return slices.ContainsFunc(r.goFiles(filepath.Dir(path)), func(neighbour string) bool {
		f, err := r.Files.Open(neighbour)
		return err != nil || f.MayAskFor(method)
	})
}

// withUnnamed opens a file if it may have such an interface. One that has none is not opened again.
func (r *Reader) withUnnamed(path string) (*syntax.File, bool) {
	if revision, vouched := r.revisionOf(path); vouched {
		if _, none := r.Memory.named.get(path, revision); none {
			return nil, false
		}
	}
	f, revision, err := r.Files.OpenRevision(path)
	switch {
	case err != nil: // it has just gone
		return nil, false
	case f.MayHaveUnnamedInterface():
		return f, true
	case revision != 0:
		r.Memory.named.put(path, revision, struct{}{})
	}
	return nil, false
}
