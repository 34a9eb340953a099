package tidepool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A home is a project without a daemon, for clients that start one.
type home struct {
	t     *testing.T
	dir   string
	env   []string
	input []byte
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
	input, err := os.ReadFile("protocol/testdata/hooks/SessionStart.json")
	if err != nil {
		t.Fatal(err)
	}
	h := &home{t, dir, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}, env...), input}
	t.Cleanup(func() {
		if out, err := h.program("controlserver", "stop").CombinedOutput(); err != nil {
			t.Errorf("stopping: %v\n%s", err, out)
		}
	})
	return h
}

func (h *home) program(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(os.Getenv("TIDEPOOL_TEST_BIN"), name), args...)
	cmd.Dir, cmd.Env = h.dir, h.env
	return cmd
}

// begin is the hook of a session that begins; it returns what is on stderr, which is nothing if the hook was answered.
func (h *home) begin() string {
	hook := h.program("agent", "hook", "session-start")
	var errs bytes.Buffer
	hook.Stdin, hook.Stderr = bytes.NewReader(h.input), &errs
	if err := hook.Run(); err != nil {
		h.t.Errorf("the hook ends with %v", err)
	}
	return errs.String()
}

// owner is the pid in the lock, 0 for none.
func (h *home) owner() int {
	line, err := os.ReadFile(filepath.Join(h.dir, ".tidepool", "control.lock"))
	if err != nil {
		return 0
	}
	var owner struct{ PID int }
	_ = json.Unmarshal(line, &owner)
	return owner.PID
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

func TestFiftyFirstHooks(t *testing.T) {
	h := newHome(t)
	start := time.Now()
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if said := h.begin(); said != "" {
				t.Error(said)
			}
		})
	}
	all.Wait()
	t.Logf("50 first hooks at once took %v", time.Since(start))
	if pids := h.daemons(); len(pids) != 1 || pids[0] != h.owner() {
		t.Errorf("%v are daemons, %d is the owner", pids, h.owner())
	}
	out, err := h.program("controlserver", "status", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	if n, err := dig(out, "hooks.SessionStart"); err != nil || n != "50" {
		t.Errorf("the daemon has answered %s hooks, %v", n, err)
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
				if said := h.begin(); said != "" {
					t.Error(said)
				}
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
	if said := h.begin(); said != "" {
		t.Error(said)
	}
	if pids := h.daemons(); len(pids) != 1 || pids[0] != h.owner() {
		t.Errorf("%v are daemons, %s is the owner", pids, fmt.Sprint(h.owner()))
	}
}
