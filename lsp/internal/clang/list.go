package clang

import (
	"context"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"tidepool/internal/macro"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// lists is what files make that consist of uses of macros, such as X(alpha). Each file that includes one may define X as something
// else; clangd keeps what it finds in the list for one of them only.
type lists struct {
	uses map[string][]listedUse // by the name that is made
	left string                 // the first file that was not read as a whole for them; "": there is none
}

// makes reports whether a list makes a name.
func (l *lists) makes(name, path string) bool {
	return slices.ContainsFunc(l.uses[name], func(u listedUse) bool { return u.path == path })
}

// A listedUse is where a list has a name, or the use of a macro that makes it.
type listedUse struct {
	path string
	at   text.Position
	sure bool // no #if may leave it out
}

// listed finds the uses of a name in lists and cleanups that clangd does not list. The error says why one is not certain.
func listed(ctx context.Context, s *session.Session, to protocol.TextDocumentPositionParams, name string, found []protocol.Location) ([]protocol.Location, error) {
	x := s.Own.(*index)
	all := x.listed()
	uses, fixedIn := cleaned(x.read(), name)
	uses = slices.Concat(all.uses[name], uses)
	missed, sure := unlisted(uses, name, found)
	if len(missed) > 0 {
		meant, err := definitions(ctx, s, to)
		if err != nil {
			return nil, err
		}
		missed, sure = unlisted(uses, name, slices.Concat(found, meant))
	}
	if len(missed) > 0 && sure {
		only, err := alone(ctx, s, name)
		if err != nil {
			return nil, err
		}
		sure = only
	}
	switch {
	case !sure:
		first := uses[0]
		return missed, fmt.Errorf("%s:%d may mean %s in what a macro makes, where clangd does not list all uses",
			s.Host.Relative(first.path), first.at.Line, name)
	case fixedIn != "":
		return missed, fmt.Errorf("%s:%d names %s in a macro as the cleanup of variables, and clangd does not list where that is used",
			s.Host.Relative(fixedIn), x.read()[fixedIn].cleanups.fixed[name], name)
	case all.left != "":
		return missed, fmt.Errorf("not all of what lists of macros make was read: %s was left, at least in part", s.Host.Relative(all.left))
	}
	return missed, nil
}

// unlisted returns the places of uses that are not known, and whether all of them are sure.
func unlisted(uses []listedUse, name string, known []protocol.Location) (missed []protocol.Location, sure bool) {
	sure = true
	for _, use := range uses {
		place := location(use.path, use.at, name)
		if !slices.ContainsFunc(known, func(l protocol.Location) bool { return l.URI == place.URI && l.Range.Start == place.Range.Start }) {
			missed, sure = append(missed, place), sure && use.sure
		}
	}
	return missed, sure
}

// alone reports whether the project declares one thing of a name.
func alone(ctx context.Context, s *session.Session, name string) (bool, error) {
	symbols, err := search(ctx, s, name)
	if err != nil {
		return false, err
	}
	symbols = slices.DeleteFunc(slices.Clone(symbols), func(symbol protocol.SymbolInformation) bool { return symbol.Name != name })
	return len(symbols) == 1, nil
}

// listed returns what the lists make. It is found out once after the sources have changed.
func (x *index) listed() *lists {
	x.mu.Lock()
	known, by, sources, looks := x.lists, x.by, x.sources, x.looks
	x.mu.Unlock()
	if known != nil {
		return known
	}
	l := &listing{sources: sources, macros: map[string][]macro.Macro{}, lists: &lists{uses: map[string][]listedUse{}}}
	l.all(by)
	x.mu.Lock()
	defer x.mu.Unlock()
	if looks == x.looks { // or else the next question looks again
		x.lists = l.lists
	}
	return l.lists
}

// apart reports whether the server must not be asked about a file: a list that no client has open.
func apart(s *session.Session, path string) bool {
	return !s.IsOpen(path) && s.Own.(*index).isList(path)
}

// isList reports whether a file consists of uses of macros and is included by others, which define the macros. Only a client opens
// such a file. clangd 14 replaces the symbols that the index has of a file by those of the document, and a list alone declares none:
// the names that other files make of it stay lost, whatever is opened afterwards.
func (x *index) isList(path string) bool {
	x.mu.Lock()
	sources, by := x.sources, x.by
	x.mu.Unlock()
	if sources != nil {
		return sources[path].pure && (by == nil || len(by[path]) > 0)
	}
	if isUnit(path) {
		return false
	}
	source, err := look(path) // asked before the first probe
	return err == nil && source.pure
}
