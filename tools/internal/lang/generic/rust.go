package generic

import (
	"strings"

	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

func rust() reader {
	return reader{table{
		id: "rust", separator: "::", named: implNamed, kinds: []lsp.Kind{lsp.KindStruct, lsp.KindEnumMember},
		tests: "/tests/ /benches/ /tests.rs", above: "///", modifiers: "pub unsafe async default auto", names: "Self self union",
		types: []shape{{"struct", "fields", ""}, {"union", "fields", ""}, {"enum", "alternatives", "variant"}, {keyword: "trait"}, {keyword: "type"}},
		mark:  ":", bar: ",",
		macros: "vec print println eprint eprintln format write writeln panic assert assert_eq assert_ne dbg info warn error debug",
		rules: []rule{
			{kind: "declaration", place: "declared"}, {kind: "type", place: "typed"},
			{kind: "export", head: "pub:use"}, {kind: "import", head: "use"}, {kind: "import", head: "extern", before: "crate as"},
			{kind: query.Unknown, head: "impl", before: "!"}, {kind: "implements", head: "impl", after: "for"}, {kind: "type", head: "impl"},
			{kind: "declaration", before: "fn struct enum union trait type mod const static"},
			{kind: "type", head: "type"}, {kind: "qualifier", after: "::"}, {kind: "call", after: "!"},
			{kind: "type", before: "<>"}, {kind: "type", head: "fn", before: ": -> & dyn"},
			{kind: "declaration", class: "lower", before: "let", after: ": = ;"}, {kind: "case", class: "upper", place: "pattern"}, {kind: "case", class: "upper", before: "let", after: "( { ="}, {kind: query.Unknown, before: "let"},
			{kind: query.Unknown, before: "as", after: ">"}, {kind: "cast", before: "as"},
			{kind: "write", before: ".", after: "="}, {kind: query.Unknown, after: "? : @"}, {kind: "call", class: "lower", after: "("},
			{kind: "value", class: "lower", before: "= == != return => in ( [ , . +"},
			{kind: "call", after: "(", before: "= return =>"}, {kind: "new", after: "{", before: "= return =>"}, {kind: "value", after: ";", before: "= return"},
		},
	}}
}

// implNamed puts what an impl holds under its type: "impl<T> Show for Wrap<T>" is Wrap.
func implNamed(s lsp.DocumentSymbol) (name string, container bool) {
	header, ok := strings.CutPrefix(s.Name, "impl")
	if !ok || header != "" && !strings.ContainsRune(" <", rune(header[0])) {
		return query.OwnName(s)
	}
	if _, of, ok := strings.Cut(header, " for "); ok {
		header = of
	}
	for word := range strings.FieldsFuncSeq(header, func(r rune) bool { return r == ' ' || r == '&' }) {
		if word != "mut" && word != "dyn" && word[0] != '\'' {
			name += word
		}
	}
	return query.BaseOf(query.PlainName(name)), true
}
