package typing

import (
	"context"
	"go/token"
	"path/filepath"
	"slices"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
)

// UnnamedInterfaces lists where interfaces without a name of their own in a package declare a method of a name, in files that the build
// at hand has. The error is that of ctx.
func (r *Reader) UnnamedInterfaces(ctx context.Context, files []string, method string) (all []lsp.Location, err error) {
	for _, path := range files {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		f, ok := r.withUnnamed(path)
		if !ok || r.isLeftOut(path) {
			continue
		}
		for _, p := range f.LocalInterfaces(method) {
			all = append(all, lsp.At(path, p.Line, p.Column))
		}
	}
	return all, nil
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
	revision, vouched := int64(0), false
	if r.Revision != nil {
		revision, vouched = r.Revision(path)
	}
	if vouched && r.Memory.named.has(path, revision) {
		return nil, false
	}
	f, err := r.Files.Open(path)
	switch {
	case err != nil: // it has just gone
		return nil, false
	case f.MayHaveUnnamedInterface():
		return f, true
	case vouched:
		r.Memory.named.put(path, revision)
	}
	return nil, false
}
