package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"tidepool/internal/wording"
	"tidepool/lsp/internal/text"
	"tidepool/lsp/internal/workspace"
)

// Symbols finds declarations of the tree by name: F, T.M, pkg.F or pkg.T.M. Symbols whose name ends in exactly these
// components come alone if there are any; if there are none, those that the servers find similar, nearest first. It
// asks every server whose source files mention the name, at the same time. Once one has exactly that name, the others
// have the rest of the View's budget. If a server cut its list, or was too slow, the View's completeness says so.
func (v *View) Symbols(ctx context.Context, query string) ([]Symbol, error) {
	ctx = v.counted(ctx)
	of := v.mentioning(query)
	found, failures := v.symbolsOfEach(ctx, of, query)
	if err := v.failure(of, failures); err != nil {
		return nil, err
	}
	all := slices.Concat(found...)
	if slices.ContainsFunc(all, func(found Symbol) bool { return answers(found, query) }) {
		all = slices.DeleteFunc(all, func(found Symbol) bool { return !answers(found, query) })
	}
	return all, nil
}

// symbolsOfEach asks servers at the same time.
func (v *View) symbolsOfEach(ctx context.Context, of []*workspace.Server, query string) (found [][]Symbol, failures []error) {
	found, failures = make([][]Symbol, len(of)), make([]error, len(of))
	if len(of) == 1 { // most often
		found[0], failures[0] = v.symbolsOf(ctx, of[0], query)
		return found, failures
	}
	ctx, hurry, done := v.hurried(ctx)
	defer done()
	var asking sync.WaitGroup
	for i, s := range of {
		asking.Go(func() {
			found[i], failures[i] = v.symbolsOf(ctx, s, query)
			if slices.ContainsFunc(found[i], func(found Symbol) bool { return answers(found, query) }) {
				hurry()
			}
		})
	}
	asking.Wait()
	return found, failures
}

// failure is the first error of servers if there is nothing else; otherwise the errors are what the answer lacks. A server
// that is still starting makes the answer one of a server at work.
func (v *View) failure(of []*workspace.Server, errs []error) error {
	var first error
	failed := 0
	for i, err := range errs {
		var starting *workspace.StartingError
		switch {
		case err == nil:
			continue
		case errors.As(err, &starting):
			v.misses(of[i], starting)
			continue
		}
		failed++
		if first == nil {
			first = err
		}
		v.lacks(wording.OneLine(err.Error()))
	}
	if failed == len(errs) {
		return first
	}
	return nil
}

// symbolsOf asks one server: for exactly that name first, then for similar ones.
func (v *View) symbolsOf(ctx context.Context, s *workspace.Server, query string) ([]Symbol, error) {
	defer v.ask(s)()
	live, err := v.session(ctx, s)
	if err != nil {
		return nil, err
	}
	v.beyond(ctx, s, live, text.LastWord(query))
	kept, ok, epoch := s.Recall(query)
	if ok {
		return v.ours(kept), nil
	}
	bounded, done := v.bound(ctx, live, protocol.MethodWorkspaceSymbol)
	found, cut, err := live.FindSymbols(bounded, query)
	err = v.excuse(live, err)
	done(err)
	switch {
	case err != nil:
		return nil, err
	case cut:
		v.lacks(fmt.Sprintf("%s lists only the first %d symbols like %q", live.Program(), s.Language.SymbolLimit, query))
	default:
		s.Remember(query, found, epoch)
	}
	return v.ours(found), nil
}

// KnownSymbols is Symbols for somebody who is typing: it asks only servers that run, and starts none. The declarations come in the
// order of the servers. whole is false if there may be others, because a server does not run, failed, or cut its list.
func (v *View) KnownSymbols(ctx context.Context, query string) (found []Symbol, whole bool) {
	whole = true
	for _, s := range v.wanted {
		live, err := s.Now()
		if err != nil {
			whole = false
			continue
		}
		symbols, cut, err := live.FindSymbols(ctx, query)
		found = append(found, v.ours(symbols)...)
		whole = whole && !cut && err == nil
	}
	return found, whole
}

// Macros lists where the sources of a language define a macro of exactly this name, by path, as they were when its server looked at them
// last: nothing if it does not run. Unlike Symbols it looks for no reasons why an answer about the name may lack something: it is for
// names that only help to understand another one.
func (v *View) Macros(language, name string) []Location {
	for _, s := range v.wanted {
		if s.Language.ID != language || s.Language.Macros == nil {
			continue
		}
		if live, err := s.Now(); err == nil {
			return v.within(s.Language.Macros(live, name))
		}
	}
	return nil
}

// ours returns the symbols of this tree, in a new list. A server may still know those of a file that is gone.
func (v *View) ours(found []Symbol) []Symbol {
	return slices.DeleteFunc(slices.Clone(found), func(s Symbol) bool { return !v.has(s.Location.Path) })
}

// answers reports whether a symbol's name ends in the components of query.
func answers(s Symbol, query string) bool {
	full := s.Name
	if s.Receiver != "" {
		full = s.Receiver + "." + full
	}
	if s.Package != "" {
		full = s.Package + "." + full
	}
	rest, ok := strings.CutSuffix(full, query)
	return ok && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/"))
}

// Definition finds where the name at a place is declared.
func (v *View) Definition(ctx context.Context, at Location) ([]Location, error) {
	return v.locations(ctx, at, protocol.MethodTextDocumentDefinition)
}

// TypeDefinition finds where the type of the expression at a place is declared.
func (v *View) TypeDefinition(ctx context.Context, at Location) ([]Location, error) {
	return v.locations(ctx, at, protocol.MethodTextDocumentTypeDefinition)
}

func (v *View) locations(ctx context.Context, at Location, method string) ([]Location, error) {
	ctx = v.counted(ctx)
	to, err := v.aim(ctx, at)
	if err != nil {
		return nil, err
	}
	defer to.done()
	return v.places(ctx, to, method, &protocol.DefinitionParams{TextDocumentPositionParams: to.place})
}

// Implementations finds what implements the interface or its method at a place, or, at a concrete type or
// method, the interfaces that it implements.
func (v *View) Implementations(ctx context.Context, at Location) ([]Location, error) {
	ctx = v.counted(ctx)
	return v.everywhere(ctx, at, true, func(to target) ([]Location, error) {
		params := &protocol.ImplementationParams{TextDocumentPositionParams: to.place}
		return v.places(ctx, to, protocol.MethodTextDocumentImplementation, params)
	})
}

// References finds the uses of the name at a place, with its declaration if asked for.
func (v *View) References(ctx context.Context, at Location, declaration bool) ([]Location, error) {
	ctx = v.counted(ctx)
	return v.everywhere(ctx, at, false, func(to target) ([]Location, error) {
		v.beyond(ctx, to.server, to.session, to.name)
		found, err := query[text.Locations](ctx, to, protocol.MethodTextDocumentReferences, &protocol.ReferenceParams{
			TextDocumentPositionParams: to.place,
			// Pyright takes the place asked about for the declaration.
			Context: protocol.ReferenceContext{IncludeDeclaration: declaration || to.origin != (Location{})},
		})
		if missed := to.server.Language.Missed; missed != nil && err == nil {
			bounded, done := v.bound(ctx, to.session, "missed references")
			more, lack := missed(bounded, to.session, to.place, to.name, found)
			done(lack)
			if lack != nil {
				v.lacks(wording.OneLine(lack.Error()))
			}
			found = append(found, more...)
		}
		all := v.within(to.seen.Locations(found))
		if !declaration {
			all = slices.DeleteFunc(all, func(at Location) bool {
				return at.Path == to.origin.Path && at.Range.Start == to.origin.Range.Start
			})
		}
		return all, err
	})
}

// places makes a request that is answered with locations.
func (v *View) places(ctx context.Context, to target, method string, params any) ([]Location, error) {
	found, err := to.places(ctx, method, params)
	return v.within(to.seen.Locations(found)), err
}

func (t target) places(ctx context.Context, method string, params any) ([]protocol.Location, error) {
	result, err := query[protocol.LSPAny](ctx, t, method, params)
	if err != nil {
		return nil, err
	}
	found, err := text.ReadLocations(result)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", t.session.Program(), method, err)
	}
	return found, nil
}

// Hover returns what an editor would show about the name at a place, in Markdown; "" if nothing.
func (v *View) Hover(ctx context.Context, at Location) (string, error) {
	ctx = v.counted(ctx)
	to, err := v.aim(ctx, at)
	if err != nil {
		return "", err
	}
	defer to.done()
	params := &protocol.HoverParams{TextDocumentPositionParams: to.place}
	result, err := query[*protocol.Hover](ctx, to, protocol.MethodTextDocumentHover, params)
	if err != nil || result == nil {
		return "", err
	}
	switch contents := result.Contents.(type) {
	case *protocol.MarkupContent:
		return contents.Value, nil
	case protocol.String:
		return string(contents), nil
	}
	return "", nil
}
