package lexer

func golang() *dialect {
	return &dialect{
		lineComment: "//", openComment: "/*", closeComment: "*/", blocks: true,
		keywords: words(`break case chan const continue default defer else fallthrough for func go goto if import interface map
			package range return select struct switch type var`),
		quoted: golangQuoted,
		starts: golangStarts,
	}
}

func golangQuoted(s *scanner) bool {
	switch s.src[s.at] {
	case '`':
		s.emit(String, s.rest(1, "`"))
		return true
	case '"', '\'':
		return s.plainString(0, false)
	}
	return false
}

// golangStarts returns the rule by which Go puts semicolons where lines end.
func golangStarts(before, t Token) bool {
	if before.Line() == t.Line() {
		return false
	}
	switch before.Kind() {
	case Name, Number, String:
		return true
	}
	return before.Is("break", "continue", "fallthrough", "return", "++", "--", ")", "]", "}")
}
