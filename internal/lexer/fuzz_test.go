package lexer

import (
	"strings"
	"testing"
)

func extensions() []string {
	return []string{".go", ".ts", ".tsx", ".js", ".py", ".c", ".cpp", ".rs", ".hs", ".x"}
}

// Whatever the text, its tokens lie in it in order, leave out nothing but white space, and their brackets agree.
func FuzzTokens(f *testing.F) {
	for _, src := range []string{
		"`a${b}", "f'{a", "R\"x(a)y\"", "<a>{b</a>", "/[/", "{(}[)]", "r#\"", "'\\", "{-{-", "/*", "\xff\xfeé'", "<>{`${<b/>}`}</>", "#include <", "{\n#if A\n{(\n#else\n{(\n#endif\n)}#else\n}", "\"\"\"", "f\"{{{",
	} {
		for i := range extensions() {
			f.Add(i, src)
		}
	}
	f.Fuzz(func(t *testing.T, language int, src string) {
		file := Parse("a"+extensions()[uint(language)%uint(len(extensions()))], []byte(src))
		end := 0
		for i, token := range file.Tokens() {
			if token.Start() < end || token.End() <= token.Start() || token.End() > len(src) {
				t.Fatalf("a token from %d to %d behind %d of %d", token.Start(), token.End(), end, len(src))
			}
			if left := src[end:token.Start()]; strings.Trim(left, " \t\r\n\f\v") != "" && strings.TrimSpace(left) != "" {
				t.Fatalf("%q was left out", left)
			}
			end = token.End()
			if partner := token.Match(); partner.Kind() != 0 && !partners(token, partner) {
				t.Fatalf("the partner of %q at %d does not agree", token.Text(), token.Start())
			}
			if token.Next().Start() < end && token.Next().Kind() != 0 || token.Outer().Start() > token.Start() {
				t.Fatalf("the neighbours of %q at %d", token.Text(), token.Start())
			}
			if i < 100 {
				token.Statement()
				token.Angles()
			}
			line, column := token.Position()
			if file.Offset(line, column) != token.Start() || file.At(line, column).Kind() == 0 {
				t.Fatalf("%q is not at its position %d:%d", token.Text(), line, column)
			}
		}
	})
}

// partners reports whether brackets may be partners: each other's, but where branches open or close several times.
func partners(a, b Token) bool {
	if strings.Contains(a.File().src, "#") && a.File().rules().branched {
		return b.Match().is() && (a.Start() < b.Start()) == b.Is(")", "]", "}") && a.Text() != b.Text()
	}
	return b.Match() == a
}
