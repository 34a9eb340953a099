package generic

import (
	"strings"

	"tidepool/lsp"
	"tidepool/tools/internal/code"
)

func haskell() reader {
	return reader{table{
		id: "haskell", separator: ".", juxtaposed: true, named: instanceNamed, tests: "/test/ /tests/ Spec.hs Test.hs",
		above: "--", begins: "|", behind: "-- ^", implementation: "instance", mark: "::", bar: "|", bodies: []string{"=", "where"}, signs: []string{"::", "=", "|", "->", "<-"}, headers: "class type instance", within: "-> => . forall",
		types:  []shape{{"data", "alternatives", "constructor"}, {"newtype", "alternatives", "constructor"}, {"class", "methods", ""}, {"type", "", ""}},
		starts: "= -> <- then else in if case", reserved: `= | -> <- => :: \ @ ~ ! . , ; ( ) [ ] { }`,
		rules: []rule{
			{kind: "import", head: "import"}, {kind: "export", head: "module"}, {kind: "qualifier", class: "upper", after: "."},
			{kind: "declaration", head: "class type", place: "subject"}, {kind: "implements", head: "instance", place: "subject"},
			{kind: "declaration", place: "declared"}, {kind: "type", place: "typed"}, {kind: code.Unknown, place: "header"},
			{kind: code.Unknown, head: "data newtype deriving default foreign pattern infix infixl infixr"},
			{kind: "case", class: "upper", place: "pattern"}, {kind: code.Unknown, place: "pattern"},
			{kind: "value", class: "upper", place: "expression", after: "composed"}, {kind: "new", class: "upper", place: "expression"}, {kind: code.Unknown, class: "upper"},
			{kind: "call", before: "`", after: "`"}, {kind: "call", class: "operator", place: "argument"}, {kind: code.Unknown, class: "operator"},
			{kind: code.Unknown, after: "."}, {kind: "value", place: "argument"}, {kind: code.Unknown, after: "?"},
			{kind: "call", place: "expression", after: "operand ( [ $"}, {kind: "value", place: "expression"},
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
