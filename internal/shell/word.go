package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// text returns a word without its quotes. An expansion stands as it is written, except for $(cat <<'EOF' … EOF), which is how
// agents pass a text of several lines.
func (r *reader) text(word *syntax.Word) string {
	if word == nil {
		return ""
	}
	var b strings.Builder
	r.parts(&b, word.Parts, false)
	return b.String()
}

func (r *reader) parts(b *strings.Builder, parts []syntax.WordPart, quoted bool) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			unescape(b, p.Value, quoted)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			r.parts(b, p.Parts, true)
		case *syntax.CmdSubst:
			if text, ok := r.document(p); ok {
				b.WriteString(text)
				continue
			}
			b.WriteString(r.written(p))
		default:
			b.WriteString(r.written(p))
		}
	}
}

// document returns what cat prints of a here-document.
func (r *reader) document(c *syntax.CmdSubst) (string, bool) {
	if len(c.Stmts) != 1 || len(c.Stmts[0].Redirs) != 1 || c.Stmts[0].Redirs[0].Hdoc == nil {
		return "", false
	}
	call, ok := c.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 || call.Args[0].Lit() != "cat" {
		return "", false
	}
	var b strings.Builder
	for _, part := range c.Stmts[0].Redirs[0].Hdoc.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			b.WriteString(lit.Value)
		} else {
			b.WriteString(r.written(part))
		}
	}
	return strings.TrimRight(b.String(), "\n"), true
}

// written returns the source of a node.
func (r *reader) written(node syntax.Node) string {
	from, to := int(node.Pos().Offset()), int(node.End().Offset())
	if from > to || to > len(r.source) {
		return "$"
	}
	return r.source[from:to]
}

// unescape writes a literal without its backslashes. Between double quotes a backslash counts only before four characters.
func unescape(b *strings.Builder, text string, quoted bool) {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch {
		case text[i] == '\n':
		case quoted && !strings.ContainsRune("\"\\$`", rune(text[i])):
			b.WriteByte('\\')
			b.WriteByte(text[i])
		default:
			b.WriteByte(text[i])
		}
	}
}
