package scout

import (
	"fmt"
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/tools"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
)

// What a compiler refuses has roles and traits as well, and what is to be done follows from them.
func TestGoTraitsOfAnswers(t *testing.T) {
	code := toolstest.ServeFile(t, "go", "rolesgo")
	s := &Toolset{Project: code.Project, Root: code.Root, Memory: langtest.Memory(t), Scorer: scout.Heuristic{}}
	for _, tt := range []struct {
		kind         scout.ChangeKind
		symbol, want string
	}{
		{scout.RemoveField, "Point.X", `
draw/draw.go:6 certain composite literal, keyed: drop the field from the literal
draw/draw.go:9 certain composite literal, unkeyed: drop its value
shape/shape.go:17 certain field use, in String-like method: remove or replace this use
draw/draw.go:7 certain composite literal, unkeyed: drop its value
draw/draw.go:17 certain field use, promoted: remove or replace this use`},
		{scout.RemoveField, "Dot.Point", `
draw/draw.go:12 certain composite literal, keyed: drop the field from the literal
draw/draw.go:17 certain promotion: no longer promoted
draw/draw.go:22 certain promotion: no longer promoted`},
		{scout.AddVariant, "hue.Hue", `
hue/hue.go:19 String-like method: see that it names the new variant
hue/hue_string.go:7 String-like method: regenerate with stringer -type=Hue`},
		{scout.AddVariant, "hue.Tone", `
hue/hue.go:37 table, in String-like method: name the new variant
hue/hue.go:39 table: add an entry`},
		{scout.ReturnError, "load.Load", `
load/load.go:15 call, error propagation: handle or pass on the error
load/load.go:41 call, error propagation: handle or pass on the error
load/load.go:26 call, error handled: see that it handles the new error
load/load.go:33 call, error dropped: it drops the error: handle it or pass it on`},
		{scout.Delete, "hue.names", `
hue/hue_string.go:7 certain reference: regenerate with stringer -type=Hue`},
	} {
		out, err := s.Scout(t.Context(), tools.Call{}, Input{Query: "what is touched?", Symbols: query.Names{tt.symbol}, Change: change{Kind: tt.kind}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range out.Pointers {
			line := p.Location
			if p.Certain {
				line += " certain"
			}
			got = append(got, fmt.Sprintf("%s %s: %s", line, scout.Manner(p.Role, p.Traits), p.Action))
		}
		for line := range strings.Lines(strings.TrimSpace(tt.want)) {
			if all := strings.Join(got, "\n") + "\n"; !strings.Contains(all, strings.TrimSpace(line)+"\n") {
				t.Errorf("%s of %s lacks %s\n%s", tt.kind, tt.symbol, line, all)
			}
		}
	}
}
