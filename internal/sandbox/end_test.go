package sandbox

import (
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// daemonEnv makes the test binary a daemon that runs a command, for TestKilledDaemonLeavesNothing: the options as JSON and the level.
const daemonEnv = "SANDBOX_TEST_DAEMON"

// TestDaemon is the daemon of TestKilledDaemonLeavesNothing; elsewhere it passes.
func TestDaemon(t *testing.T) {
	text, is := os.LookupEnv(daemonEnv)
	if !is {
		return
	}
	var o struct {
		Options
		Level Level
		Line  string
	}
	must(t, json.Unmarshal([]byte(text), &o))
	s, err := New(o.Options)
	must(t, err)
	t.Fatal(s.at(t.Context(), o.Level, specOf(t, s, o.Line)))
}

// TestKilledDaemonLeavesNothing: neither the command nor what it has sent into the background outlives a daemon that is killed.
func TestKilledDaemonLeavesNothing(t *testing.T) {
	for level, mark := range map[Level]string{Full: "sleep 71.25", Partial: "sleep 72.25"} {
		dir := project(t)
		o := open(t, dir).options
		text, err := json.Marshal(map[string]any{
			"Program": o.Program, "Project": o.Project, "Scratch": o.Scratch, "Level": level,
			"Line": "(setsid " + mark + " &); touch started; " + mark,
		})
		must(t, err)
		cmd := exec.Command(os.Args[0], "-test.run=^TestDaemon$")
		cmd.Env = append(os.Environ(), daemonEnv+"="+string(text))
		must(t, cmd.Start())
		await(t, dir+"/started")
		if !alive(t, mark) {
			t.Errorf("%s: %s does not run", level, mark)
		}
		must(t, cmd.Process.Kill())
		cmd.Wait()
		dead(t, mark)
	}
}

// TestThreadsOfOthersEnd: a command outlives the threads that end with the goroutines bound to them.
func TestThreadsOfOthersEnd(t *testing.T) {
	dir := project(t)
	s := open(t, dir)
	spec := specOf(t, s, "touch started; until [ -e finish ]; do sleep 0.01; done; echo done")
	var out Outcome
	var err error
	var running, bound sync.WaitGroup
	running.Go(func() { out, err = s.at(t.Context(), Full, spec) })
	await(t, dir+"/started")
	all := make(chan struct{})
	for range 100 { // more than the process has threads: each thread that is not bound to a command gets one
		bound.Add(1)
		running.Go(func() {
			runtime.LockOSThread()
			bound.Done()
			<-all
		})
	}
	bound.Wait()
	close(all)
	write(t, dir+"/finish", "")
	running.Wait()
	if err != nil || out.Exit != 0 {
		t.Errorf("%+v, %v", out, err)
	}
}

// await waits for a file.
func await(t *testing.T, path string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; {
		if _, err := os.Stat(path); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %s", path)
		}
	}
}

// TestWithoutIsolation: where nothing can be confined a command runs only if the caller accepts that.
func TestWithoutIsolation(t *testing.T) {
	s := open(t, project(t), func(o *Options) { o.Program = []string{"/bin/false"} })
	spec := specOf(t, s, "echo out; exit 3")
	_, err := s.Run(t.Context(), spec)
	if refused, is := err.(*RefusedError); !is || refused.Support.Level != None || refused.Support.Step != "report" || refused.Hint() == "" {
		t.Fatalf("%v", err)
	}
	spec.Accept = None
	out, err := s.Run(t.Context(), spec)
	if err != nil || out.Exit != 3 || out.Isolation != None || len(out.Missing) == 0 || string(out.Stdout.Text) != "out\n" {
		t.Errorf("%v, %+v", err, out)
	}
	spec = specOf(t, s, "echo out; sleep 73.25")
	spec.Accept, spec.Timeout = None, 300*time.Millisecond
	out, err = s.Run(t.Context(), spec)
	if err != nil || !out.TimedOut || out.Exit != 124 {
		t.Errorf("%v, %+v", err, out)
	}
	dead(t, "sleep 73.25")
}

// TestViewAsSeenFromInside: no credentials, no descriptors, no other processes, no network, no capabilities, and a filter.
func TestViewAsSeenFromInside(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	write(t, home+"/.ssh/id_ed25519", "secret")
	write(t, home+"/.cargo/credentials.toml", "secret")
	write(t, home+"/.cargo/bin/tool", "tool\n")
	write(t, home+"/notes", "secret")
	dir := project(t)
	extra, _, err := os.Pipe() // a descriptor that whoever started the daemon has left open for its children
	must(t, err)
	defer extra.Close()
	_, err = unix.FcntlInt(extra.Fd(), unix.F_SETFD, 0)
	must(t, err)
	shell(t, open(t, dir), Full, "true") // makes the place of this home, which lies in /tmp, in the session's /tmp
	for line, want := range map[string]string{
		"cd ~; cat .ssh/id_ed25519 .cargo/credentials.toml notes /etc/shadow; cat .cargo/bin/tool": "tool\n",
		"ls -A /run ~ /var/tmp":        "/run:\n\n" + home + ":\n.cargo\n\n/var/tmp:\n",
		"ls .tidepool":                 "exec\n",
		"set -- /proc/[0-9]*; echo $#": "2\n",
		"grep -hE '^(CapPrm|CapEff|CapInh|CapAmb)' /proc/self/status /proc/1/status | cut -f2 | sort -u": "0000000000000000\n",
		"grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status":                                             "NoNewPrivs:\t1\nSeccomp:\t2\n",
		"grep : /proc/net/dev | cut -d: -f1":                                                             "    lo\n",
		"for f in /etc/x /usr/x ~/x /dev/x /proc/sys/x; do touch $f 2>/dev/null && echo $f; done":        "",
		"echo $GOCACHE":    dir + "/.tidepool/exec/cache/go-build\n",
		"ls /proc/self/fd": "0\n1\n2\n3\n",
	} {
		out := shell(t, open(t, dir), Full, line)
		if got := string(out.Stdout.Text); got != want {
			t.Errorf("%s: %q, want %q; %s", line, got, want, out.Stderr.Text)
		}
	}
}
