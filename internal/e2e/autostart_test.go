package e2e

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/daemontest"
)

// A home is a project without a daemon, for clients that start one.
type home struct {
	project
	t *testing.T
}

func newHome(t *testing.T, env ...string) *home {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".tidepool"), 0o700); err != nil {
		t.Fatal(err)
	}
	h := &home{project{dir: dir, env: append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "XDG_DATA_HOME=" + os.Getenv("XDG_DATA_HOME")}, env...)}, t}
	t.Cleanup(func() {
		if out, err := h.program("controlserver", "stop").CombinedOutput(); err != nil {
			t.Errorf("stopping: %v\n%s", err, out)
		}
	})
	return h
}

func (h *home) program(name string, args ...string) *exec.Cmd {
	return h.command(context.Background(), name, args...)
}

// begin is the hook of a session that begins; it returns what is on stderr, which is nothing if the hook was answered.
func (h *home) begin() string {
	got := end(h.t, h.program("agent", "hook", "session-start"))
	if got.status != 0 {
		h.t.Errorf("the hook ends with %d", got.status)
	}
	return got.stderr
}

// owner is the process that has the lock, 0 for none.
func (h *home) owner() int {
	h.t.Helper()
	pid, err := daemontest.Owner(h.dir)
	if err != nil {
		h.t.Fatal(err)
	}
	return pid
}

// daemons are the processes that serve the project.
func (h *home) daemons() []int {
	h.t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		h.t.Fatal(err)
	}
	var pids []int
	for _, path := range lines {
		line, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(line), "\x00serve\x00--detached\x00--project\x00"+h.dir) && !strings.Contains(string(line), "spawn") {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil {
				h.t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// expectOne waits until the owner of the lock is the only daemon: one that finds the lock taken needs a moment to leave, and
// what the owner starts looks like it until it is another program.
func (h *home) expectOne() {
	h.t.Helper()
	var pids []int
	for patience := time.Now().Add(10 * time.Second); time.Now().Before(patience); runtime.Gosched() {
		if pids = h.daemons(); len(pids) == 1 && pids[0] == h.owner() {
			return
		}
	}
	h.t.Errorf("%v are daemons, %d is the owner", pids, h.owner())
}

// waited reports whether a hook may have passed unchecked for no other reason than that the machine is busy: it has waited for the
// daemon as long as it may.
func waited(said string, took time.Duration) bool {
	return took >= 3*time.Second &&
		(strings.Contains(said, "the daemon is being started and does not answer yet") || strings.Contains(said, "i/o timeout"))
}

// expectBegin has a session begin, and another one where a hook only waited in vain.
func (h *home) expectBegin() {
	h.t.Helper()
	for patience := time.Now().Add(time.Minute); ; {
		start := time.Now()
		said := h.begin()
		switch {
		case said == "":
			return
		case !waited(said, time.Since(start)):
			h.t.Error(said)
			return
		case time.Now().After(patience):
			h.t.Errorf("no hook is answered: %s", said)
			return
		}
	}
}

// The daemon is one, and it answers. Only on a busy machine does a hook pass unchecked.
func TestFiftyFirstHooks(t *testing.T) {
	h := newHome(t)
	start := time.Now()
	said := h.beginAll(50)
	took := time.Since(start)
	for _, line := range said {
		if !waited(line, took) {
			t.Error(line)
		}
	}
	h.expectBegin()
	h.expectOne()
	if len(said) == 0 {
		h.expectAnswered("51")
	}
}

// beginAll has sessions begin at once, and returns what their hooks have said on stderr.
func (h *home) beginAll(n int) (said []string) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			line := h.begin()
			mu.Lock()
			defer mu.Unlock()
			if line != "" {
				said = append(said, line)
			}
		})
	}
	all.Wait()
	return said
}

func (h *home) expectAnswered(hooks string) {
	h.t.Helper()
	out, err := h.program("controlserver", "status", "--json").Output()
	if err != nil {
		h.t.Fatal(err)
	}
	if n, err := dig(out, "hooks.SessionStart"); err != nil || n != hooks {
		h.t.Errorf("the daemon has answered %s hooks, %v", n, err)
	}
}

// Whoever arrives while the daemon leaves is answered, by it or by the next one.
func TestArrivingWhileTheDaemonLeaves(t *testing.T) {
	h := newHome(t, "TIDEPOOL_SERVER_IDLE_TIMEOUT=50ms")
	// A busy machine stretches the arrivals, so they go on until the daemon has left often enough.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var clients sync.WaitGroup
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(1, seed))
		clients.Go(func() {
			for h.departures() < 5 && ctx.Err() == nil {
				time.Sleep(time.Duration(random.IntN(120)) * time.Millisecond) // arrivals at random moments are what is tested
				h.expectBegin()
			}
		})
	}
	clients.Wait()
	if n := h.departures(); n < 5 {
		t.Errorf("the daemon left only %d times", n)
	}
}

// departures counts how often a daemon has left because nobody needed it.
func (h *home) departures() int {
	log, _ := os.ReadFile(filepath.Join(h.dir, ".tidepool", "logs", "controlserver.log")) // not there at first
	return strings.Count(string(log), "leaving: nobody has needed")
}

// A daemon that is killed at any moment, its start included, is in nobody's way.
func TestKilledAtAnyMoment(t *testing.T) {
	h := newHome(t)
	random := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		pause := time.Duration(random.IntN(60)) * time.Millisecond
		var clients sync.WaitGroup
		for range 4 {
			clients.Go(func() { h.begin() }) // passes, answered or not
		}
		time.Sleep(pause) // to a random moment
		for _, pid := range h.daemons() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		clients.Wait()
	}
	h.expectBegin()
	h.expectOne()
}
