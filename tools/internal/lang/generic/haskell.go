package generic

import (
	"strings"

	"tidepool/lsp"
	"tidepool/tools/internal/query"
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
			{kind: "declaration", place: "declared"}, {kind: "type", place: "typed"}, {kind: query.Unknown, place: "header"},
			{kind: query.Unknown, head: "data newtype deriving default foreign pattern infix infixl infixr"},
			{kind: "case", class: "upper", place: "pattern"}, {kind: query.Unknown, place: "pattern"},
			{kind: "value", class: "upper", place: "expression", after: "composed"}, {kind: "new", class: "upper", place: "expression"}, {kind: query.Unknown, class: "upper"},
			{kind: "call", before: "`", after: "`"}, {kind: "call", class: "operator", place: "argument"}, {kind: query.Unknown, class: "operator"},
			{kind: query.Unknown, after: "."}, {kind: "value", place: "argument"}, {kind: query.Unknown, after: "?"},
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
