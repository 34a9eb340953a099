package doctor

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hinted is an error that knows what to do.
type hinted struct{ text, hint string }

func (e *hinted) Error() string { return e.text }
func (e *hinted) Hint() string  { return e.hint }

// look is the one finding of a check with this name.
func look(t *testing.T, c Check, name string) Finding {
	t.Helper()
	var found []Finding
	for _, f := range c.Look(t.Context()) {
		if f.Name == name {
			found = append(found, f)
		}
		if f.OK != (f.Fix == "") || f.Text == "" || f.OK && f.Mend != nil {
			t.Errorf("a finding is neither fine nor a problem: %+v", f)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d findings about %q", len(found), name)
	}
	return found[0]
}

// wantFine and wantProblem check what a check says about one thing.
func wantFine(t *testing.T, c Check, name, text string) {
	t.Helper()
	if f := look(t, c, name); !f.OK || !strings.Contains(f.Text, text) {
		t.Errorf("got %+v, want it fine: %s", f, text)
	}
}

func wantProblem(t *testing.T, c Check, name, text, fix string) Finding {
	t.Helper()
	f := look(t, c, name)
	if f.OK || !strings.Contains(f.Text, text) || !strings.Contains(f.Fix, fix) {
		t.Errorf("got %+v, want the problem %q and the fix %q", f, text, fix)
	}
	return f
}

// wantMended mends with Examine and looks whether that is true.
func wantMended(t *testing.T, c Check, name string) {
	t.Helper()
	for _, f := range Examine(t.Context(), []Check{c}, true) {
		if f.Name == name && !f.Fixed {
			t.Errorf("after mending: %+v", f)
		}
	}
	if f := look(t, c, name); !f.OK {
		t.Errorf("it was only said to be mended: %+v", f)
	}
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Mkdir(path, mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// A patient has two ailments, of which one can be mended, or cannot either.
type patient struct {
	well   bool
	stuck  error
	looked int
}

func (p *patient) Look(context.Context) []Finding {
	p.looked++
	mend := func() error {
		p.well = p.stuck == nil
		return p.stuck
	}
	first := problem("first", "mend it", "is sick").safely(mend)
	if p.well {
		first = fine("first", "is well")
	}
	return []Finding{first, problem("second", "see to it", "is sick, too")}
}

func TestExamine(t *testing.T) {
	p := new(patient)
	found := Examine(t.Context(), []Check{p}, false)
	if problems, safe := Problems(found); problems != 2 || safe != 1 || p.well || p.looked != 1 {
		t.Errorf("%d problems, %d safe, %+v", problems, safe, p)
	}
	found = Examine(t.Context(), []Check{p}, true)
	if problems, safe := Problems(found); problems != 1 || safe != 0 || !found[0].Fixed || found[1].Fixed {
		t.Errorf("%d problems, %d safe: %+v", problems, safe, found)
	}
	if found = Examine(t.Context(), []Check{p}, true); found[0].Fixed {
		t.Errorf("what was well is said to be mended: %+v", found[0])
	}
	p = &patient{stuck: errors.New("a read-only disk")}
	found = Examine(t.Context(), []Check{p}, true)
	if problems, safe := Problems(found); problems != 2 || safe != 0 || found[0].Text != "is sick; it cannot be mended: a read-only disk" {
		t.Errorf("%d problems, %d safe: %+v", problems, safe, found)
	}
}

func TestQuote(t *testing.T) {
	for _, path := range []string{"/plain/a.b-c_d", "/with space/ü", "/it's", `/"$HOME"`, "/new\nline", "/"} {
		out, err := exec.Command("sh", "-c", "printf %s "+quote(path)).Output()
		if err != nil || string(out) != path {
			t.Errorf("%q becomes %s: %q, %v", path, quote(path), out, err)
		}
	}
}

func TestSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	var loaded error
	c := Settings{Path: path, Load: func() error { return loaded }}
	wantFine(t, c, "settings", "all defaults")
	write(t, path, "{}", 0o600)
	wantFine(t, c, "settings", path)
	loaded = errors.Join(&hinted{"config.json:3: reddy_budget: unknown key", "did you mean ready_budget?"}, errors.New("and this"))
	found := c.Look(t.Context())
	if len(found) != 2 || found[0].Fix != "did you mean ready_budget?" || found[1].Text != "and this" || found[1].Fix == "" {
		t.Errorf("got %+v", found)
	}
}
