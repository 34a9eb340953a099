package python

import (
	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// declaring returns the function, method or class that is declared where a name stands.
func declaring(f *lexer.File, t lexer.Token) (lsp.Symbol, bool) {
	if !t.Prev().Is("def", "class") {
		return lsp.Symbol{}, false
	}
	s := lsp.Symbol{Name: t.Text(), Kind: lsp.KindFunction, Language: "python", Location: placeOf(f, t)}
	outer, within := around(statementAt(f, t))
	switch {
	case t.Prev().Is("class"):
		s.Kind = lsp.KindClass
	case within && outer.head().Is("class"):
		s.Kind = lsp.KindMethod
	}
	for ; within; outer, within = around(outer) {
		name := outer.head().Next().Text()
		if s.Receiver != "" {
			name += "." + s.Receiver
		}
		s.Receiver = name
	}
	return s, true
}
