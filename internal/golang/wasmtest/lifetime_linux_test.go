package wasmtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/golang/wasmtest"
)

// running are the processes whose command line or environment has a word in it.
func running(t *testing.T, word string) (found []string) {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		for _, name := range []string{"cmdline", "environ"} {
			data, _ := os.ReadFile(filepath.Join(dir, name)) // one that has just ended has none
			if bytes.Contains(data, []byte(word)) {
				found = append(found, dir+": "+strings.ReplaceAll(string(data), "\x00", " "))
			}
		}
	}
	return found
}

// markOf is a word that no other process has, not even one of the same test that runs beside this one.
func markOf(t *testing.T) string { return filepath.Base(filepath.Dir(t.TempDir())) }

// waitFor waits for something that happens to processes, about which nobody tells.
func waitFor(t *testing.T, what string, happened func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(2 * time.Minute); !happened(); {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited for %s", what)
		}
	}
}

// A runner that is cancelled leaves no process and no file, whatever it does at that time.
func TestCancel(t *testing.T) {
	module, mark := sea(t), markOf(t)
	temp := filepath.Join(t.TempDir(), mark)
	r := wasmtest.Runner{Program: []string{program, mark}, Temp: temp}
	for name, begun := range map[string]func() bool{
		"building": func() bool { return len(running(t, "GOTMPDIR="+temp)) > 0 },
		"running":  func() bool { return len(running(t, program+"\x00"+mark)) > 0 },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- r.Run(ctx, module, []string{filepath.Join(module, "stuck")}, func(wasmtest.Result) {}, func(f wasmtest.Failure) {
				t.Errorf("%s: %+v", name, f)
			})
		}()
		waitFor(t, name, begun)
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if left := running(t, mark); len(left) > 0 {
			t.Errorf("%s: left: %q", name, left)
		}
		if _, err := os.Stat(temp); !os.IsNotExist(err) {
			t.Errorf("%s: %s is left: %v", name, temp, err)
		}
	}
}

// The sandbox does not outlive who started it, even in a test that never ends.
func TestParentKilled(t *testing.T) {
	module, mark := sea(t), markOf(t)
	temp := filepath.Join(t.TempDir(), "build")
	parent := exec.Command("/proc/self/exe", "runner", module, temp, mark, program)
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	child := program + "\x00" + mark
	waitFor(t, "the sandbox", func() bool { return len(running(t, child)) > 0 })
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, out)
	parent.Wait()
	waitFor(t, "its end", func() bool { return len(running(t, child)) == 0 })
	if _, err := os.Stat(temp); err != nil {
		t.Errorf("nothing was left to be removed: %v", err)
	}
	r := wasmtest.Runner{Temp: temp}
	if err := r.Run(t.Context(), module, []string{filepath.Join(module, "fish")}, nil, nil); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(temp); !os.IsNotExist(err) {
		t.Errorf("what a killed one has left is still there: %v", err)
	}
}

// With the end of its input the sandbox ends: where there is no parent-death signal that is all it hears.
func TestInputEnds(t *testing.T) {
	sandbox := exec.Command(program)
	in, err := sandbox.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := sandbox.Start(); err != nil {
		t.Fatal(err)
	}
	// It waits for a file that nobody writes.
	binary := filepath.Join(t.TempDir(), "binary")
	if err := exec.Command("mkfifo", binary).Run(); err != nil {
		t.Fatal(err)
	}
	json.NewEncoder(in).Encode(map[string]any{"binary": binary, "module": t.TempDir(), "cpu": 60, "memory": 1 << 20})
	in.Close()
	if err := sandbox.Wait(); err == nil {
		t.Error("it has ended well")
	}
}

// TestSpent holds what is told of processor time to what the system says of all that has ended.
func TestSpent(t *testing.T) {
	module := sea(t)
	ended := func() time.Duration {
		var used syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
			t.Fatal(err)
		}
		return time.Duration(used.Utime.Nano() + used.Stime.Nano())
	}
	r := wasmtest.Runner{Program: []string{program}, Temp: filepath.Join(t.TempDir(), "build")}
	before := ended()
	for range 2 {
		if err := r.Run(t.Context(), module, []string{filepath.Join(module, "fish")}, func(wasmtest.Result) {}, func(wasmtest.Failure) {}); err != nil {
			t.Fatal(err)
		}
		if all := ended() - before; r.Spent <= 0 || (all-r.Spent).Abs() > all/100+time.Millisecond {
			t.Errorf("%v are told of %v", r.Spent, all)
		}
	}
}
