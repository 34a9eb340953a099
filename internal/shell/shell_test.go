package shell_test

import (
	"fmt"
	"strings"
	"testing"

	"tidepool/internal/shell"
)

// describe writes commands in one line: their words, what their output goes through, and what the line's status says of them.
func describe(commands []shell.Command) string {
	var parts []string
	for _, c := range commands {
		part := strings.Join(c.Words, " ")
		for _, filter := range c.Filters {
			part += " >" + filter
		}
		for _, flag := range []struct {
			set  bool
			name string
		}{{c.Hidden, "hidden"}, {c.Apart, "apart"}, {c.IfZero, "0"}, {c.IfNot, "1"}} {
			if flag.set {
				part += " " + flag.name
			}
		}
		if c.Input != "" {
			part += fmt.Sprintf(" <%q", c.Input)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " / ")
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"go test ./...", "go test ./... 0 1"},
		{"cd x && go test", "cd x 0 / go test 0"},
		{"echo a && go test", "echo a 0 / go test 0 1"},
		{"go test; echo done", "go test / echo done 0 1"},
		{"go test ./... | tail -5", "go test ./... >tail / tail -5 0 1"},
		{"go test ./... 2>&1 | grep -v ok | tail -5", "go test ./... >grep >tail / grep -v ok >tail / tail -5 0 1"},
		{"set -o pipefail; go test | tail", "set -o pipefail / go test >tail 0 1 / tail 0"},
		{"set -euo pipefail\ngo vet\ngo test", "set -euo pipefail / go vet 0 / go test 0"},
		{"go test || true", "go test 1 / true 1"},
		{"go test || exit 1", "go test 0 1 / exit 1 1"},
		{"go test || { echo no; exit 1; }", "go test 0 1 / echo no / exit 1 1"},
		{"! go test", "go test"},
		{"go test &", "go test apart"},
		{"(cd x; go test)", "cd x / go test 0 1"},
		{"time go test", "go test 0 1"},
		{"FOO=1 BAR='a b' go test", "go test 0 1"},
		{"env -u X FOO=1 timeout -k 5 60 nice -n 5 go test", "go test 0 1"},
		{"npx --yes vitest run", "vitest run 0 1"},
		{"uv run --with x pytest -q", "pytest -q 0 1"},
		{"npm test", "npm test 0 1"},
		{"pnpm exec jest", "jest 0 1"},
		{"/usr/local/go/bin/go test", "go test 0 1"},
		{`bash -c "go vet && go test"`, "go vet 0 / go test 0"},
		{`bash -lc 'go test' | tail`, "go test >tail / tail 0 1"},
		{"go test > out.txt 2>&1", "go test hidden 0 1"},
		{"go test > out.txt 2>&1; tail -3 out.txt", "go test >tail / tail -3 out.txt 0 1"},
		{"go test >/dev/null", "go test hidden 0 1"},
		{"go test 2>/dev/null", "go test 0 1"},
		{"for i in 1 2; do go test; done", "go test"},
		{"if go test; then echo ok; fi", "go test / echo ok"},
		{"X=$(go test)", ""},
		{`git commit -m "$(cat <<'EOF'` + "\na: b\n\nc `d`\nEOF\n)\"", "git commit -m a: b\n\nc `d` 0 1"},
		{`git commit -m "a \"b\" \$c" -m 'd'`, `git commit -m a "b" $c -m d 0 1`},
		{"git commit -F - <<'EOF'\na\nb\nEOF", "git commit -F - 0 1 <\"a\\nb\\n\""},
		{`psql -h $HOST "select ${x}"`, "psql -h $HOST select ${x} 0 1"},
		{"", ""},
		{"# nothing", ""},
	} {
		commands, err := shell.Parse(test.line)
		if got := describe(commands); got != test.want || err != nil {
			t.Errorf("%s\n got %s, %v\nwant %s", test.line, got, err, test.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, line := range []string{"go test (", "if x", `echo "`, strings.Repeat("(", 1000), strings.Repeat("a", shell.MaxLine+1)} {
		commands, err := shell.Parse(line)
		if err == nil || commands != nil || strings.Contains(err.Error(), "echo") {
			t.Errorf("%.20s: %v, %v", line, commands, err)
		}
	}
}

func TestParseIsBounded(t *testing.T) {
	commands, err := shell.Parse(strings.Repeat("go test;", 1000))
	if len(commands) != shell.MaxCommands || err != nil {
		t.Errorf("%d commands, %v", len(commands), err)
	}
	commands, err = shell.Parse(`bash -c "bash -c \"bash -c 'bash -c true'\""`)
	if got := describe(commands); got != "bash -c true 0 1" || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
}

// Whatever the line, a command has a program, and what the status says of it does not contradict where it runs.
func FuzzParse(f *testing.F) {
	for _, line := range []string{"a && b || c | d > e; tail e", "bash -c 'a; b' &", "f() { g; }; f", "a <<X\nb\nX\n", "((1))", "[[ a ]] && b", "case a in b) c;; esac", "env timeout", "set -e; a |& b"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		commands, err := shell.Parse(line)
		if err != nil && commands != nil {
			t.Fatal("commands and an error")
		}
		for _, c := range commands {
			if len(c.Words) == 0 || c.Apart && (c.IfZero || c.IfNot) {
				t.Fatalf("%+v", c)
			}
		}
	})
}
