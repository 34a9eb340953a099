package searchnote

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"tidepool/internal/hook"
	"tidepool/protocol"
)

// after is the hook after a tool call in /work/shop.
func after(t testing.TB, tool string, input any) *hook.Event {
	t.Helper()
	encoded, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	e := &hook.Event{HookInput: &protocol.HookInput{Event: protocol.PostToolUse, SessionID: "s", Cwd: "/work/shop", ToolName: tool, ToolInput: encoded}}
	e.From.Session = "s"
	return e
}

func bash(t testing.TB, command string) *hook.Event {
	return after(t, "Bash", map[string]string{"command": command})
}

func text(s Search, ok bool) string {
	if !ok {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s %s", s.Name, s.Dir, strings.Join(s.Paths, ","), strings.Join(s.Files, ",")))
}

func TestOfBash(t *testing.T) {
	for command, want := range map[string]string{
		"rg handle":                            "handle /work/shop",
		"rg -n -w 'handle' src/a.go b":         "handle /work/shop /work/shop/src/a.go,/work/shop/b",
		`rg -tgo -g '!*_test.go' -A3 "handle"`: "handle /work/shop  *.go,!*_test.go",
		"rg --type rust -C 2 -e handle /work":  "handle /work/shop /work *.rs",
		"rg --glob=*.ts --max-count 1 handle":  "handle /work/shop  *.ts",
		"rg -- handle":                         "handle /work/shop",
		"/usr/bin/grep -rn handle .":           "handle /work/shop /work/shop",
		"grep -rnI --include=*.go --exclude-dir=vendor --color=never handle": "handle /work/shop  *.go",
		"grep --recursive --color handle":                                    "handle /work/shop",
		"grep -5 handle mux.go":                                              "handle /work/shop /work/shop/mux.go",
		"grep -nA 3 handle mux.go | head -20":                                "handle /work/shop /work/shop/mux.go",
		"cd src && rg handle x.go":                                           "handle /work/shop /work/shop/x.go",
		"cd /work/other; rg handle x.go":                                     "handle /work/other /work/other/x.go",
		"LC_ALL=C timeout 5 rg größe 2>/dev/null | sort | uniq | wc -l":      "größe /work/shop",

		"rg handle | cat - x":                  "",
		"rg handle.Foo":                        "",
		"rg 'func handle'":                     "",
		"rg 'handle|serve'":                    "",
		"rg -e handle -e serve":                "",
		"rg 2nd":                               "",
		"rg -i handle":                         "",
		"rg -S handle":                         "",
		"rg -v handle":                         "",
		"rg -f patterns":                       "",
		"rg --files handle":                    "",
		"rg --replace x handle":                "",
		"rg handle $DIR":                       "",
		"rg $handle":                           "",
		"rg handle ~/x":                        "",
		"rg -A":                                "",
		"rg":                                   "",
		"rg handle > out":                      "",
		"rg handle &":                          "",
		"rg handle; rg serve":                  "",
		"rg handle | xargs rm":                 "",
		"rg handle | grep -v test":             "",
		"grep handle":                          "", // of its standard input
		"grep -q handle mux.go":                "",
		"grep handle <<< text":                 "",
		"ps aux | grep handle":                 "",
		"cd $X && rg handle":                   "",
		"cd - && rg handle":                    "",
		"git grep handle":                      "",
		"echo rg handle":                       "",
		"cargo test":                           "",
		"rg handle (":                          "",
		"rg " + strings.Repeat("x", maxName+1): "",
	} {
		if got := text(Of(bash(t, command))); got != want {
			t.Errorf("%s\n got %q\nwant %q", command, got, want)
		}
	}
	if _, ok := Of(after(t, "Bash", map[string]any{"command": "rg handle", "run_in_background": true})); ok {
		t.Error("a command in the background has shown nothing yet")
	}
}

// Before a command the client has not followed its cd.
func TestOfBashBefore(t *testing.T) {
	for command, want := range map[string]string{
		"rg handle x.go":                     "handle /work/shop /work/shop/x.go",
		"cd src && rg handle x.go":           "handle /work/shop/src /work/shop/src/x.go",
		"cd ../other; rg handle x.go | head": "handle /work/other /work/other/x.go",
		"cd /work/other; rg handle":          "handle /work/other",
	} {
		e := bash(t, command)
		e.Event = protocol.PreToolUse
		if got := text(Of(e)); got != want {
			t.Errorf("%s\n got %q\nwant %q", command, got, want)
		}
	}
}

func TestOfGrep(t *testing.T) {
	for want, input := range map[string]any{
		"handle /work/shop":                          map[string]any{"pattern": "handle", "output_mode": "content", "-n": true},
		"handle /work/shop /work/shop/src *.go,*.ts": map[string]any{"pattern": "handle", "path": "src", "glob": "*.go *.ts"},
		"handle /work/shop /elsewhere *.py":          map[string]any{"pattern": "handle", "path": "/elsewhere", "type": "py"},
	} {
		if got := text(Of(after(t, "Grep", input))); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, input := range []any{
		map[string]any{"pattern": "handle", "-i": true}, map[string]any{"pattern": `\bhandle\b`}, map[string]any{"pattern": ""}, map[string]any{"pattern": 7}, "handle", nil,
	} {
		if s, ok := Of(after(t, "Grep", input)); ok {
			t.Errorf("%v is %+v", input, s)
		}
	}
	if s, ok := Of(after(t, "Read", map[string]any{"pattern": "handle"})); ok {
		t.Errorf("another tool is %+v", s)
	}
}

// What is no search costs no parse.
func TestOtherToolsCostNothing(t *testing.T) {
	events := []*hook.Event{
		bash(t, "go test ./..."), bash(t, strings.Repeat("echo handle; ", 1000)), after(t, "Edit", map[string]string{"new_string": "rg handle"}), after(t, "Read", nil),
	}
	if n := testing.AllocsPerRun(100, func() {
		for _, e := range events {
			if _, ok := Of(e); ok {
				t.Error("it is no search")
			}
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Whatever the command, a search has an identifier and a directory.
func FuzzOfBash(f *testing.F) {
	for _, command := range []string{"rg -n handle | head", "grep -rn --include=*.go -e handle .", "cd x && rg -A3 handle", "rg -e", "rg --glob", "grep -A=3 -- handle x"} {
		f.Add(command)
	}
	f.Fuzz(func(t *testing.T, command string) {
		if s, ok := Of(bash(t, command)); ok && (!isIdentifier(s.Name) || s.Dir == "") {
			t.Errorf("%+v", s)
		}
	})
}

// BenchmarkOf is what other tool calls cost.
func BenchmarkOf(b *testing.B) {
	for name, e := range map[string]*hook.Event{"edit": after(b, "Edit", map[string]string{"new_string": "rg"}), "command": bash(b, "go build ./... && go test ./internal/hook"), "search": bash(b, "rg -n handle | head -20")} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Of(e)
			}
		})
	}
}
