package teach

import (
	"strings"
	"testing"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

func TestBehaviour(t *testing.T) {
	for name, tt := range map[string]struct{ path, source, want string }{
		"Go": {"a.go", "func (mx *Mux) route(x *Context) error {\n\tif err := mx.check(len(x.s)); err != nil {\n\t\treturn err\n\t}\n\tif (x.a) && x.b == `q` {\n\t\tx.n++\n\t}\n\tswitch x.kind {\n\tcase 1:\n\t\tmx.tree[x.n] = x\n\t}\n\tlocal := f(x)\n\tlocal = g(x)[0].h(x)\n\tlog.Info(local)\n\tf(x)\n\treturn nil\n}",
			"decides by `(x.a) && x.b == 'q'`, `x.kind`; sets `x.n`, `mx.tree[x.n]`; calls `mx.check`, `f`, `g`, `g.h`, `log.Info`"},
		"TypeScript": {"a.ts", "function take(x) {\n  if (x.ready && !this.done) this.count += 1;\n  while (next()) { a.b.c = x }\n}",
			"decides by `x.ready && !this.done`, `next()`; sets `this.count`, `a.b.c`; calls `next`"},
		"C":       {"a.c", "int take(struct s *p) {\n\tif (p->n == 0)\n\t\tp->n = first(p);\n\tint k = 3;\n\treturn p->n == k;\n}", "decides by `p->n == 0`; sets `p->n`; calls `first`"},
		"nothing": {"a.go", "func empty() {}", ""},
		"broken":  {"a.go", "func broken() { if { x. = } if", ""},
	} {
		lines := strings.Split(tt.source, "\n")
		d := lsp.DocumentSymbol{Kind: lsp.KindFunction, Range: lsp.Range{
			Start: lsp.Position{Line: 1, Column: 1}, End: lsp.Position{Line: len(lines), Column: len(lines[len(lines)-1]) + 1},
		}}
		if got := behaviourOf(sourceFile{File: lexer.Parse(tt.path, []byte(tt.source))}, d).String(); got != tt.want {
			t.Errorf("%s: it %s\nwant %s", name, got, tt.want)
		}
	}
}
