package sample

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tidepool/lsp/lsptest"
)

func projects(parts int) []*Project {
	return []*Project{Go(parts), TypeScript(parts), Python(parts), C(parts)}
}

// What is said of the sources stands in them, and nothing else.
func TestCallersStandInTheSources(t *testing.T) {
	call := regexp.MustCompile(`(?i)= (?:hub\.)?(mix\d\d)\(n, `)
	for _, p := range projects(50) {
		found := map[string][]string{}
		for _, path := range p.Sources() {
			for i, line := range strings.Split(p.files[path], "\n") {
				if match := call.FindStringSubmatch(line); match != nil {
					found[match[1]] = append(found[match[1]], fmt.Sprintf("%s:%d", path, i+1))
				}
			}
		}
		if len(p.Functions()) != Hubs || len(p.Types()) != Hubs {
			t.Errorf("%s: %d functions, %d types", p.Language, len(p.Functions()), len(p.Types()))
		}
		for _, name := range p.Functions() {
			if slices.Sort(found[name]); !slices.Equal(found[name], p.Callers[name]) {
				t.Errorf("%s %s: said are %v, there are %v", p.Language, name, p.Callers[name], found[name])
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, p := range projects(30) {
		name := p.Functions()[3]
		path, line, column := p.Declaration(name)
		if text := strings.Split(p.files[path], "\n")[line-1][column-1:]; !strings.HasPrefix(text, name+"(") {
			t.Errorf("%s: %s:%d:%d is %s", p.Language, path, line, column, text)
		}
		path, text, line := p.Repeat(name, 3)
		before := strings.Split(p.files[path], "\n")[line-1]
		if got := strings.Split(text, "\n")[line-1 : line+3]; got[0] != before || got[1] != before || got[2] != before || got[3] == before {
			t.Errorf("%s: %q", p.Language, got)
		}
	}
}

func TestProjectsCompile(t *testing.T) {
	commands := map[string]func() *exec.Cmd{
		"go":         func() *exec.Cmd { return exec.Command("go", "build", "-trimpath", "./...") },
		"typescript": func() *exec.Cmd { return exec.Command(lsptest.Program(t, "tsc"), "--build") },
		"python":     func() *exec.Cmd { return exec.Command(lsptest.Program(t, "pyright")) },
		"c":          func() *exec.Cmd { return exec.Command(lsptest.Program(t, "clangd"), "--check=src/part007.c") },
	}
	for _, p := range projects(15) {
		t.Run(p.Language, func(t *testing.T) {
			dir := t.TempDir()
			if err := p.Write(dir); err != nil {
				t.Fatal(err)
			}
			cmd := commands[p.Language]()
			cmd.Dir, cmd.Env = dir, append(cmd.Environ(), "GOWORK=off", "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %v\n%s", cmd.Args, err, out)
			}
		})
	}
}
