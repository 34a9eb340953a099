package work

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A desk is a real git repository, and a directory of programs that play bd and gh in front of PATH.
type desk struct {
	t    *testing.T
	dir  string
	bin  string
	opts Options
}

// newDesk makes a repository on a branch with one commit and a remote that says it is on GitHub.
func newDesk(t *testing.T, branch string) *desk {
	t.Helper()
	base := t.TempDir()
	d := &desk{t: t, dir: filepath.Join(base, "demo"), bin: filepath.Join(base, "bin")}
	for _, dir := range []string{d.dir, d.bin} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"PATH=" + d.bin + ":" + basics(t), "HOME=" + base, "GIT_CONFIG_NOSYSTEM=1"}
	d.opts = Options{Dir: d.dir, Env: env, GitTime: time.Minute, TrackerTime: time.Minute, HubTime: time.Minute, SyncTime: time.Minute}
	d.git("init", "--quiet", "--initial-branch", branch)
	d.write("README", "demo\n")
	d.git("add", "-A")
	d.git("commit", "--quiet", "-m", "begin")
	d.git("remote", "add", "origin", "git@github.com:acme/demo.git")
	return d
}

// basics is a directory with git and what the scripts use, and without a bd or gh that this machine may have.
func basics(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"git", "sh", "cat", "sleep", "touch"} {
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(dir, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func (d *desk) work() *Work { return New(d.opts) }

func (d *desk) git(args ...string) string {
	d.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = d.dir
	cmd.Env = append(d.opts.Env, "PATH="+os.Getenv("PATH"), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

// program puts a shell script on PATH. It finds its arguments in $*, and writes what it was asked for into NAME.log.
func (d *desk) program(name, script string) {
	d.t.Helper()
	text := "#!/bin/sh\necho \"$*\" >> " + filepath.Join(d.bin, name+".log") + "\n" + script
	if err := os.WriteFile(filepath.Join(d.bin, name), []byte(text), 0o755); err != nil {
		d.t.Fatal(err)
	}
}

// asked are the command lines that a program was run with.
func (d *desk) asked(name string) []string {
	data, err := os.ReadFile(filepath.Join(d.bin, name+".log"))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// Today's bd and gh, as far as they are asked here. Shapes: beads 1.0.3 and gh 2.
const (
	bdShow = `[{"id":"demo-a3f8","title":"Fix the login","description":"It fails.","status":"in_progress","priority":1,"issue_type":"bug",
"created_at":"2026-05-01T10:00:00Z","created_by":"ann","updated_at":"2026-05-02T10:00:00Z","labels":["auth"],"parent":"demo-1",
"dependencies":[{"id":"demo-1","title":"Login","status":"open","priority":0,"issue_type":"epic","dependency_type":"parent-child"},
{"id":"demo-2","title":"Keys","status":"on_ice","priority":2,"issue_type":"task","dependency_type":"waits-for-moon"}],
"dependents":[{"id":"demo-9","title":"Release","status":"open","priority":1,"issue_type":"task","dependency_type":"blocks"}]}]`
	bdToday = `
case "$*" in
"version") echo 'bd version 1.0.3' ;;
"where --json") echo '{"database_path":"/x/.beads","path":"/x","prefix":"demo"}' ;;
"show demo-a3f8 --json") cat <<'END'
` + bdShow + `
END
;;
"show "*) echo '{"error":"no issues found matching the provided IDs","schema_version":1}'
  echo "Error fetching $2: no issue found matching \"$2\"" >&2; exit 1 ;;
"close demo-a3f8") echo '✓ Closed demo-a3f8' ;;
"dolt --help") echo 'Usage: bd dolt [command]' ;;
"dolt remote list") if [ -f remotes ]; then cat remotes; fi ;;
"dolt pull") echo pulled ;;
*) echo "Error: unknown command \"$1\" for \"bd\"" >&2; exit 1 ;;
esac
`
	ghToday = `
case "$*" in
"pr list --repo acme/demo --head bd-a3f8/fix-login --state all"*) cat <<'END'
[{"number":7,"title":"Fix the login","body":"Closes demo-a3f8","author":{"login":"ann","name":"Ann"},"labels":[{"name":"bug"}],"state":"OPEN","isDraft":false,
"url":"https://github.com/acme/demo/pull/7","headRefName":"bd-a3f8/fix-login","baseRefName":"main","comments":[{"author":{"login":"bob"},"body":"Nice","createdAt":"2026-05-03T10:00:00Z"}],
"reviews":[{"author":{"login":"bob"},"body":"Rename it","state":"CHANGES_REQUESTED","submittedAt":"2026-05-03T11:00:00Z"}],"reviewDecision":"CHANGES_REQUESTED",
"statusCheckRollup":[{"__typename":"CheckRun","name":"test","status":"COMPLETED","conclusion":"SUCCESS"},{"__typename":"CheckRun","name":"lint","status":"COMPLETED","conclusion":"FAILURE"},
{"__typename":"CheckRun","name":"deploy","status":"IN_PROGRESS","conclusion":""},{"__typename":"StatusContext","context":"ci/legacy","state":"PENDING"}]}]
END
;;
"pr list "*) echo '[]' ;;
"repo view acme/demo"*) echo main ;;
"pr create --repo acme/demo --head bd-a3f8/fix-login --base main"*) echo 'Creating pull request for bd-a3f8/fix-login into main in acme/demo' >&2
  echo https://github.com/acme/demo/pull/8 ;;
"api --hostname github.com --paginate repos/acme/demo/pulls/7/comments"*)
  echo '[{"user":{"login":"bob"},"body":"here","path":"a.go","line":3,"created_at":"2026-05-03T12:00:00Z"}][{"user":{"login":"eve"},"body":"there","path":"b.go","line":null,"created_at":"2026-05-01T12:00:00Z"}]' ;;
"api --hostname github.com --paginate repos/acme/demo/pulls/7/reviews"*)
  echo '[{"user":{"login":"bob"},"body":"Rename it","state":"CHANGES_REQUESTED","submitted_at":"2026-05-03T11:00:00Z"},{"user":{"login":"eve"},"body":"","state":"COMMENTED","submitted_at":"2026-05-01T12:00:00Z"}]' ;;
*) echo "unknown command $*" >&2; exit 1 ;;
esac
`
)
