package typing

import (
	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
)

// UnnamedInterfaces lists where interfaces without a name of their own in a package declare a method of a name, in files that the build
// at hand has.
func (r *Reader) UnnamedInterfaces(files []string, method string) []lsp.Location {
	var all []lsp.Location
	for _, path := range files {
		f, ok := r.withUnnamed(path)
		if !ok || r.isLeftOut(path) {
			continue
		}
		for _, p := range f.LocalInterfaces(method) {
			all = append(all, lsp.At(path, p.Line, p.Column))
		}
	}
	return all
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
