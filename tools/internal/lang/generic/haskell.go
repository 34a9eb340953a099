package generic

import (
	"strings"

	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

func haskell() reader {
	return reader{table{
		id: "haskell", separator: ".", layout: true, named: instanceNamed, tests: "/test/ /tests/ Spec.hs Test.hs", above: "--",
		types: []shape{{"data", "alternatives", "constructor"}, {"newtype", "alternatives", "constructor"}, {keyword: "class"}, {keyword: "type"}},
		mark:  "::", bar: "|",
		rules: []rule{
			{kind: "import", head: "import"}, {kind: "export", head: "module"}, {kind: "qualifier", class: "upper", after: "."},
			{kind: "implements", head: "instance", place: "subject"}, {kind: "declaration", head: "class type", place: "subject"},
			{kind: "declaration", place: "declared"}, {kind: "type", place: "typed"},
			{kind: query.Unknown, head: "class type data newtype deriving default foreign pattern infix infixl infixr"},
			{kind: query.Unknown, class: "upper"}, {kind: query.Unknown, before: "newline { ,"}, {kind: query.Unknown, after: "? ."},
			{kind: "call", before: "`", after: "`"}, {kind: "value", before: "operand"}, {kind: "call", after: "operand ( [ $"}, {kind: "value"},
		},
	}}
}

// instanceNamed drops imports, and the type variables that the server writes behind the names of classes and families.
func instanceNamed(s lsp.DocumentSymbol) (name string, container bool) {
	switch {
	case s.Kind == lsp.KindFile || s.Kind == lsp.KindModule:
		return "", s.Name != "imports" && !strings.HasPrefix(s.Name, "import ")
	case s.Kind == lsp.KindInterface && s.Detail != "class":
		return "instance " + s.Name, false
	}
	name, _, _ = strings.Cut(s.Name, " ")
	return strings.Trim(name, "()"), s.Kind == lsp.KindInterface || s.Kind == lsp.KindStruct
}
