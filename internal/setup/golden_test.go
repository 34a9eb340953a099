package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// Each golden file has what settings.json holds before, after Init, and after Uninit when the backup is lost. The
// agent is /AGENT there. Every layout of the same file must come out the same way.
func TestGoldenSettings(t *testing.T) {
	layouts := map[string]func(string) string{
		"as it is":              func(s string) string { return s },
		"CRLF":                  func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"a byte order mark":     func(s string) string { return byteOrderMark + s },
		"no newline at the end": func(s string) string { return strings.TrimSuffix(s, "\n") },
		"newlines at the end":   func(s string) string { return s + "\n\n" },
	}
	for name, golden := range goldens(t) {
		for layout, change := range layouts {
			if golden.before == "" && layout != "as it is" {
				continue // nothing in it is laid out
			}
			t.Run(name+"/"+layout, func(t *testing.T) {
				h := newHome(t)
				before, after := change(golden.before), change(golden.after)
				h.write(h.settings(), before)
				h.init()
				if diff := cmp.Diff(after, h.generic(h.settings())); diff != "" {
					t.Errorf("after init (-want +got):\n%s", diff)
				}
				h.uninit()
				if diff := cmp.Diff(before, h.read(h.settings())); diff != "" {
					t.Errorf("after uninit (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// Indentation is a layout as well, for what is indented by two spaces.
func TestGoldenIndentation(t *testing.T) {
	for _, unit := range []string{"\t", "    ", " "} {
		for name, golden := range goldens(t) {
			if !strings.Contains(golden.before, "\n  \"") {
				continue // an empty or flat file tells of no indentation
			}
			t.Run(name+"/"+strings.ReplaceAll(unit, "\t", "tab"), func(t *testing.T) {
				h := newHome(t)
				h.write(h.settings(), indent(golden.before, unit))
				h.init()
				if diff := cmp.Diff(indent(golden.after, unit), h.generic(h.settings())); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

func indent(text, unit string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		rest := strings.TrimLeft(line, " ")
		lines[i] = strings.Repeat(unit, (len(line)-len(rest))/2) + rest
	}
	return strings.Join(lines, "")
}

// generic returns a file with the agent's path written as /AGENT/agent.
func (h *home) generic(path string) string {
	h.t.Helper()
	return strings.ReplaceAll(h.read(path), filepath.Dir(h.Agent), "/AGENT")
}

type golden struct{ before, after, lost string }

// goldens reads the golden files; with -update it writes what is the case into them first.
func goldens(t *testing.T) map[string]golden {
	t.Helper()
	files, err := filepath.Glob("testdata/settings/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	all := map[string]golden{}
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			rewrite(t, name, archive)
		}
		part := map[string]string{}
		for _, f := range archive.Files {
			part[f.Name] = string(f.Data)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".txtar")] = golden{part["before"], part["after"], part["backup lost"]}
	}
	return all
}

func rewrite(t *testing.T, name string, archive *txtar.Archive) {
	t.Helper()
	h := newHome(t)
	before := archive.Files[0]
	h.write(h.settings(), string(before.Data))
	h.init()
	after := h.generic(h.settings())
	if err := os.RemoveAll(h.stateDir()); err != nil {
		t.Fatal(err)
	}
	h.uninit()
	lost := "(removed)\n"
	if _, err := os.Stat(h.settings()); err == nil {
		lost = h.generic(h.settings())
	}
	archive.Files = []txtar.File{before, {Name: "after", Data: []byte(after)}, {Name: "backup lost", Data: []byte(lost)}}
	if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Without the backup only what nobody can know is different: whether something empty was there.
func TestGoldenWithoutBackup(t *testing.T) {
	for name, golden := range goldens(t) {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.write(h.settings(), golden.before)
			h.init()
			if err := os.RemoveAll(h.stateDir()); err != nil {
				t.Fatal(err)
			}
			h.uninit()
			got := "(removed)\n"
			if _, err := os.Stat(h.settings()); err == nil {
				got = h.generic(h.settings())
			}
			if diff := cmp.Diff(golden.lost, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
