package policyfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tidepool/internal/policy"
	"tidepool/internal/wording"
)

// places are the three directories of a test, and what reads them.
type places struct {
	*Reader
	dirs [3]Dir
}

// newPlaces makes the directories, as nobody but the user can write them.
func newPlaces(t *testing.T) places {
	t.Helper()
	top := t.TempDir()
	p := places{Reader: &Reader{Own: func(policy.Level, string) error { return nil }}}
	for level, path := range map[policy.Level]string{policy.Organisation: "etc/policy", policy.Team: "home/team", policy.Project: "project/.tidepool/policy"} {
		dir := filepath.Join(top, path)
		must(t, os.MkdirAll(dir, 0o755))
		p.dirs[level] = Dir{Level: level, Path: dir}
	}
	if os.Geteuid() != 0 { // the organisation's belong to root
		p.dirs[policy.Organisation] = Dir{Level: policy.Organisation, Path: "/nowhere", Optional: true}
	}
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write writes a file of policies, and returns its path.
func (p places) write(t *testing.T, level policy.Level, name string, policies ...string) string {
	t.Helper()
	path := filepath.Join(p.dirs[level].Path, name)
	must(t, os.WriteFile(path, []byte(`{"policies": [`+strings.Join(policies, ",\n")+`]}`), 0o644))
	must(t, os.Chmod(path, 0o644))
	return path
}

func (p places) read() Result { return p.Read(p.dirs[:]) }

// entry is a policy about a word in commands.
func entry(id, severity, word, more string) string {
	return fmt.Sprintf(`{"id": %q, "title": "t", "severity": %q, "enforcement": [{"tool": "Bash", "pattern": %q}]%s}`, id, severity, word, more)
}

// decides returns what the policies decide about a command, and why.
func decides(t *testing.T, r Result, tool, command string) (decision, reason string) {
	t.Helper()
	p, err := new(policy.Policy).With(r.Definitions)
	must(t, err)
	v, _ := p.Decide(tool, []byte(fmt.Sprintf(`{"command": %q}`, command)))
	return v.Decision.String(), v.Reason
}

// problems returns what is wrong, with the hints.
func problems(r Result) string {
	var all []string
	for _, err := range r.Problems {
		all = append(all, fmt.Sprintf("%v (%s)", err, wording.HintOf(err)))
	}
	return strings.Join(all, "\n")
}

func TestReadLevels(t *testing.T) {
	p := newPlaces(t)
	p.write(t, policy.Team, "b.json", entry("T-2", "warning", "mv", ""), entry("T-3", "error", "dd", `, "expires": "2020-01-31"`))
	p.write(t, policy.Team, "a.json", entry("T-1", "info", "rm", ""))
	p.write(t, policy.Project, "mine.json", entry("P-1", "error", "rm", ""))
	p.write(t, policy.Team, "a.json.bak", `nonsense`)
	p.write(t, policy.Team, ".hidden.json", `nonsense`)
	r := p.read()
	var ids []string
	for _, d := range r.Definitions {
		ids = append(ids, d.ID)
	}
	if got := strings.Join(ids, " "); got != "T-1 T-2 T-3 P-1" || r.Problems != nil || r.Files != 3 {
		t.Errorf("%s, %v, %d files", got, r.Problems, r.Files)
	}
	for command, want := range map[string]string{"rm": "deny", "mv": "ask", "dd": "", "ls": ""} {
		if got, _ := decides(t, r, "Bash", command); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// A file that cannot be used never permits silently: without an earlier version each call is asked about, with one that one stays.
func TestFilesThatCannotBeUsed(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(t *testing.T, path string)
		want  string // in the problem and its hint
	}{
		"a link": {func(t *testing.T, path string) {
			must(t, os.Rename(path, path+".real"))
			must(t, os.Symlink(path+".real", path))
		}, "it is a symbolic link: "},
		"a pipe":        {func(t *testing.T, path string) { must(t, os.Remove(path)); must(t, syscall.Mkfifo(path, 0o644)) }, "it is no regular file: "},
		"a directory":   {func(t *testing.T, path string) { must(t, os.Remove(path)); must(t, os.Mkdir(path, 0o755)) }, "it is no regular file: "},
		"for the group": {func(t *testing.T, path string) { must(t, os.Chmod(path, 0o664)) }, "others may write it (its mode is 0664): "},
		"for all":       {func(t *testing.T, path string) { must(t, os.Chmod(path, 0o666)) }, "(chmod go-w "},
		"its directory": {func(t *testing.T, path string) { must(t, os.Chmod(filepath.Dir(path), 0o777)) }, "team cannot be used: others may write it (its mode is 0777): "},
		"one above": {func(t *testing.T, path string) {
			top := filepath.Dir(filepath.Dir(path))
			must(t, os.Chmod(top, 0o777))
		}, "everybody may write in it: "},
		"no directory": {func(t *testing.T, path string) { must(t, os.RemoveAll(filepath.Dir(path))) }, "no such file or directory: "},
		"too large":    {func(t *testing.T, path string) { must(t, os.Truncate(path, maxFile+1)) }, "it has 1048577 bytes, and 1048576 are read at most: "},
		"no JSON":      {func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte("{\n["), 0)) }, "x.json:2: not valid JSON: "},
		"no policies":  {func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte("[]"), 0)) }, "expected an object with policies, got a list: "},
		"too many": {func(t *testing.T, path string) {
			for i := range maxFiles {
				must(t, os.WriteFile(fmt.Sprintf("%s%d.json", path, i), []byte(`{"policies":[]}`), 0o600))
			}
		}, "it has 101 files, and 100 are read at most: "},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlaces(t)
			path := p.write(t, policy.Team, "x.json", entry("T-1", "error", "rm", ""))
			if got, _ := decides(t, p.read(), "Bash", "rm"); got != "deny" {
				t.Fatalf("before: %q", got)
			}
			test.spoil(t, path)
			after := p.read()
			if got, _ := decides(t, after, "Bash", "rm"); got != "deny" || !strings.Contains(problems(after), test.want) || !strings.Contains(problems(after), "its policies stay as they were before") {
				t.Errorf("after: %q, %s; want %s", got, problems(after), test.want)
			}
			if got, _ := decides(t, after, "Read", ""); got != "" {
				t.Errorf("another tool: %q", got)
			}
			fresh := places{&Reader{Own: p.Own}, p.dirs}.read()
			got, reason := decides(t, fresh, "Read", "")
			if got != "ask" || !strings.Contains(reason, "A policy file of the team cannot be used") || !strings.Contains(problems(fresh), "you are asked about each tool call") {
				t.Errorf("a first reader: %q, %s; %s", got, reason, problems(fresh))
			}
		})
	}
}

func TestForeignOwners(t *testing.T) {
	if os.Geteuid() != 0 { // only root can give a file away, but what is the user's own is foreign to the organisation
		p := newPlaces(t)
		p.dirs[policy.Organisation] = Dir{Level: policy.Organisation, Path: p.dirs[policy.Team].Path}
		if r := p.read(); !strings.Contains(problems(r), "policies of the organisation belong to root") {
			t.Errorf("got %s", problems(r))
		}
		return
	}
	for level, want := range map[policy.Level]string{
		policy.Organisation: "it belongs to user 4711, and policies of the organisation belong to root",
		policy.Team:         "it belongs to user 4711: ",
		policy.Project:      "it belongs to user 4711: ",
	} {
		p := newPlaces(t)
		path := p.write(t, level, "x.json", entry("X-1", "error", "rm", ""))
		must(t, os.Chown(path, 4711, 4711))
		r := p.read()
		if got, _ := decides(t, r, "Write", ""); got != "ask" || !strings.Contains(problems(r), want) {
			t.Errorf("%v: %q, %s", level, got, problems(r))
		}
	}
}

// One policy that is wrong leaves the others of its file as they are, and concerns its own tools only.
func TestOnePolicyIsWrong(t *testing.T) {
	p := newPlaces(t)
	p.write(t, policy.Team, "x.json", entry("T-1", "error", "(rm", ""), entry("T-2", "error", "mv", ""), entry("T-3", "error", "(dd", `, "enabled": false`))
	r := p.read()
	for _, want := range []struct{ tool, command, decision string }{{"Bash", "ls", "ask"}, {"Bash", "mv", "deny"}, {"Read", "", ""}} {
		if got, reason := decides(t, r, want.tool, want.command); got != want.decision {
			t.Errorf("%s %s: %q (%s), want %q", want.tool, want.command, got, reason, want.decision)
		}
	}
	if got := problems(r); !strings.Contains(got, `x.json:1: policies[0].enforcement[0].pattern: expected a regular expression, got "(rm"`) || !strings.Contains(got, "each call that it could concern (patterns are Go regular expressions") || !strings.Contains(got, ": it is disabled") {
		t.Errorf("got %s", got)
	}
	p.write(t, policy.Team, "x.json", entry("T-1", "error", "rm", ""))
	p.read()
	p.write(t, policy.Team, "x.json", entry("T-1", "error", "(rm", ""))
	again := p.read()
	if got, _ := decides(t, again, "Bash", "ls"); got != "" || !strings.Contains(problems(again), "the policy stays as it was before") {
		t.Errorf("after a version that could be used: %q, %s", got, problems(again))
	}
}

func TestOverrides(t *testing.T) {
	const off = `{"id": "T-1", "title": "t", "severity": "info", "enabled": false}`
	for _, test := range []struct {
		name, more string // of the team's policy
		own        error
		want       string // about rm
		problem    string
	}{
		{"overridable", `, "overridable": true`, nil, "", ""},
		{"not overridable", "", nil, "deny", "mine.json:1: policy T-1 does not override the one of "},
		{"in a clone", `, "overridable": true`, errors.New("git tracks the file"), "deny", "git tracks the file; to disable it has no effect (keep the file out of version control"},
	} {
		p := newPlaces(t)
		p.Own = func(policy.Level, string) error { return test.own }
		p.write(t, policy.Team, "x.json", entry("T-1", "error", "rm", test.more))
		p.write(t, policy.Project, "mine.json", off)
		r := p.read()
		if got, _ := decides(t, r, "Bash", "rm"); got != test.want || test.problem == "" && r.Problems != nil || !strings.Contains(problems(r), test.problem) {
			t.Errorf("%s: %q, %s", test.name, got, problems(r))
		}
	}
}

// What a clone wants told is not told, and git is asked about nothing else.
func TestToldByAClone(t *testing.T) {
	p := newPlaces(t)
	var asked []string
	p.Own = func(_ policy.Level, path string) error {
		asked = append(asked, filepath.Base(path))
		return errors.New("git tracks the file")
	}
	p.write(t, policy.Team, "t.json", entry("T-1", "info", "rm", ""))
	p.write(t, policy.Project, "a.json", entry("P-1", "error", "rm", ""))
	p.write(t, policy.Project, "b.json", entry("P-2", "info", "rm", ""))
	r := p.read()
	whole, err := new(policy.Policy).With(r.Definitions)
	must(t, err)
	j := whole.Weigh("Bash", []byte(`{"command":"rm"}`))
	if told := j.Told(); len(told) != 1 || told[0].ID != "T-1" || strings.Join(asked, " ") != "b.json" || !strings.Contains(problems(r), "policy P-2 is not told to the model: git tracks the file") {
		t.Errorf("told %v, asked %v, %s", told, asked, problems(r))
	}
}

func TestIDTwice(t *testing.T) {
	p := newPlaces(t)
	p.write(t, policy.Team, "a.json", entry("T-1", "error", "rm", ""))
	p.write(t, policy.Team, "b.json", entry("T-1", "warning", "mv", ""))
	r := p.read()
	for command, want := range map[string]string{"rm": "deny", "mv": "ask"} {
		if got, _ := decides(t, r, "Bash", command); got != want {
			t.Errorf("%s: %q", command, got)
		}
	}
	if !strings.Contains(problems(r), "b.json:1: policy T-1 has the id of the one at ") {
		t.Errorf("got %s", problems(r))
	}
}

// A file counts until it is missing twice: an editor may be replacing it.
func TestFileDisappears(t *testing.T) {
	p := newPlaces(t)
	path := p.write(t, policy.Team, "x.json", entry("T-1", "error", "rm", ""))
	before := Stamp(p.dirs[:])
	p.read()
	must(t, os.Remove(path))
	if Stamp(p.dirs[:]) == before {
		t.Error("the stamp has not changed")
	}
	first := p.read()
	if got, _ := decides(t, first, "Bash", "rm"); got != "deny" || !first.Changing {
		t.Errorf("missing once: %q, %v", got, first.Changing)
	}
	if second := p.read(); second.Definitions != nil || second.Changing {
		t.Errorf("missing twice: %v", second)
	}
}
