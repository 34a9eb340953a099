package clang

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// maxAsked bounds the mentions of a name that the server is asked about.
const maxAsked = 16

// asked returns where clangd is asked for the references of a symbol. What a macro makes has no name where it is declared, and
// clangd would answer there with the references of the macro: a place that names the symbol is asked about instead. Without one
// the references are not known.
func asked(ctx context.Context, q *query.Query, symbol lsp.Symbol) (at lsp.Location, known bool, err error) {
	f, err := open(q.Lexed, symbol.Location.Path)
	if err != nil {
		return symbol.Location, true, nil // of a file that is gone nothing refers to it
	}
	start := symbol.Location.Range.Start
	declared := f.At(start.Line, start.Column)
	written := declared.Is(symbol.Name, "~", "operator")
	if written && !given(declared) || declared.Kind() != lexer.Name || strings.ContainsFunc(symbol.Name, notInName) {
		return symbol.Location, true, nil
	}
	macros, err := made(ctx, q, symbol, declared)
	if err != nil {
		return symbol.Location, false, err
	}
	paths, err := q.View.Mentions(ctx, symbol.Language, symbol.Name)
	if err != nil {
		return symbol.Location, false, err
	}
	left := maxAsked
	for _, path := range paths {
		f, err := open(q.Lexed, path)
		if err != nil {
			continue
		}
		for t := range f.Mentions(symbol.Name) {
			if !t.Is(symbol.Name) || t.Kind() != lexer.Name {
				continue
			}
			if left--; left < 0 {
				break
			}
			line, column := t.Position()
			at := lsp.At(path, line, column)
			found, err := q.View.Definition(ctx, at)
			if err != nil {
				return symbol.Location, false, err
			}
			if len(found) > 0 && slices.ContainsFunc(macros, func(macro lexer.Token) bool { return within(macro, found[0]) }) {
				return at, true, nil
			}
		}
	}
	if written {
		return symbol.Location, true, nil
	}
	q.Doubt(fmt.Sprintf("the macro %s makes %s, and clangd lists the uses only of what is named somewhere", declared.Text(), symbol.Name))
	return symbol.Location, false, nil
}

// given reports whether a name is what a macro is given in a file that is nothing alone, such as a list of X-macros.
func given(t lexer.Token) bool {
	open := t.Outer()
	unit := slices.Contains([]string{".c", ".cc", ".cpp", ".cxx", ".c++"}, filepath.Ext(t.File().Path))
	return !unit && open.Is("(") && open.Outer().Kind() == 0 && open.Prev().Kind() == lexer.Name && !open.Match().Next().Is(";", "{")
}

// made returns the uses of macros that declare a symbol: where it was found, and where the server has it if nothing else in the
// project has that name.
func made(ctx context.Context, q *query.Query, symbol lsp.Symbol, declared lexer.Token) ([]lexer.Token, error) {
	all := []lexer.Token{declared}
	symbols, err := q.View.Symbols(ctx, symbol.Name)
	if err != nil {
		return nil, err
	}
	symbols = slices.DeleteFunc(slices.Clone(symbols), func(s lsp.Symbol) bool { return s.Name != symbol.Name })
	if len(symbols) == 1 {
		start := symbols[0].Location.Range.Start
		if f, err := open(q.Lexed, symbols[0].Location.Path); err == nil {
			all = append(all, f.At(start.Line, start.Column))
		}
	}
	return all, nil
}

func notInName(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// within reports whether a place is that of a macro's use, or in what the macro is given.
func within(macro lexer.Token, at lsp.Location) bool {
	f := macro.File()
	if at.Path != f.Path {
		return false
	}
	end := macro.End()
	if macro.Next().Is("(") && macro.Next().Match().Kind() != 0 {
		end = macro.Next().Match().End()
	}
	offset := f.Offset(at.Range.Start.Line, at.Range.Start.Column)
	return macro.Start() <= offset && offset < end
}
