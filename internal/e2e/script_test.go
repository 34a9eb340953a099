package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"tidepool/internal/ancestry/ancestrytest"
	"tidepool/internal/daemontest"
	"tidepool/internal/trust"
	"tidepool/lsp/lsptest"
)

// TestMain builds both programs once, the agent across the module line, as a
// user would have them: beside each other and beside gopls.
func TestMain(m *testing.M) {
	lsptest.Main()
	if err := os.Chdir("../.."); err != nil { // paths are named from the root of the repository
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(ancestrytest.Detach(func() int { return run(m) })) // the scripts act as a person, too
}

func run(m *testing.M) int {
	if signal.Ignored(syscall.SIGHUP) { // under nohup, and what is started here would ignore it, too
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	bin, err := os.MkdirTemp("", "tidepool-bin-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(bin)
	if err := os.Chmod(bin, 0o755); err != nil { // some tests run them as another user
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := daemontest.Build(bin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	os.Setenv("TIDEPOOL_TEST_BIN", bin)
	data, err := os.MkdirTemp("", "tidepool-data-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(data)
	os.Setenv("XDG_DATA_HOME", data) // what daemons of tests remember is not their user's
	return m.Run()
}

// TestScripts plays testdata/script: each script has a project of its own,
// both programs and the language servers on its PATH, and this test's caches of Go.
func TestScripts(t *testing.T) {
	gopls := lsptest.Program(t, "gopls")
	goEnv := goCaches(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "internal/e2e/testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Deadline:            time.Now().Add(13 * time.Minute), // all of them take half a minute alone; one that waits for ever shall say so
		Setup: func(env *testscript.Env) error {
			bin := os.Getenv("TIDEPOOL_TEST_BIN")
			servers := filepath.Join(filepath.Dir(gopls), "servers", "node_modules", ".bin")
			env.Setenv("PATH", strings.Join([]string{bin, filepath.Dir(gopls), servers, os.Getenv("PATH")}, string(filepath.ListSeparator)))
			env.Setenv("GOPLS_DIR", filepath.Dir(gopls))
			env.Setenv("BIN", bin)
			env.Setenv("GOWORK", "off")
			env.Setenv("TIDEPOOL_READY_BUDGET", "4m") // scripts are about what is answered, and not how soon on a busy machine
			env.Setenv("SAMPLES", samplesDir(t))
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state"))
			env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, ".data"))
			// All that a script lays down is its user's, but not what it clones.
			if _, err := (trust.Store{Dir: filepath.Join(env.WorkDir, ".state", "tidepool")}).Grant(env.WorkDir); err != nil {
				return err
			}
			for key, value := range goEnv {
				env.Setenv(key, value)
			}
			// Whatever a failing script leaves behind ends with it.
			env.Defer(func() { killDaemons(env.WorkDir) })
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"nc":       netcat,
			"waitfor":  waitFor,
			"signal":   sendSignal,
			"jsonl":    jsonl,
			"converse": converse,
			"probe":    probe,
			"lsp":      (&languageClients{running: map[string]*languageClient{}}).command,
		},
	})
}

func samplesDir(t *testing.T) string {
	dir, err := filepath.Abs("protocol/testdata/hooks")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// goCaches keeps a script's HOME of its own from meaning caches of its own.
func goCaches(t *testing.T) map[string]string {
	keys := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GOFLAGS"}
	out, err := exec.Command("go", append([]string{"env"}, keys...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(string(out), "\n")
	env := map[string]string{}
	for i, key := range keys {
		env[key] = values[i]
	}
	return env
}

// killDaemons ends the daemons below dir that a script did not stop.
func killDaemons(dir string) {
	_ = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type()&os.ModeSocket != 0 {
			_ = exec.Command(filepath.Join(os.Getenv("TIDEPOOL_TEST_BIN"), "controlserver"), "stop", "--project", filepath.Dir(filepath.Dir(path))).Run()
		}
		return nil
	})
}

// netcat is nc -U: it sends the script's stdin, or FILE, to a socket and
// prints what comes back.
//
//	nc [-N] [-n LINES] SOCKET [FILE]
//
// With -N it half-closes after sending; otherwise it stays until LINES lines
// (1 if not given) have come, as a person at a terminal would.
func netcat(ts *testscript.TestScript, neg bool, args []string) {
	halfClose, lines := false, 1
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		switch args[0] {
		case "-N":
			halfClose = true
		case "-n":
			n, err := strconv.Atoi(args[1])
			ts.Check(err)
			lines, args = n, args[1:]
		}
		args = args[1:]
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: nc [-N] [-n LINES] SOCKET FILE")
	}
	conn, err := dial(ts.MkAbs(args[0]))
	ts.Check(err)
	defer conn.Close()
	ts.Check(conn.SetDeadline(time.Now().Add(scriptPatience)))
	_, err = io.WriteString(conn, ts.ReadFile(args[1]))
	ts.Check(err)
	var out []byte
	if halfClose {
		ts.Check(conn.CloseWrite())
		out, err = io.ReadAll(conn)
		ts.Check(err)
	} else {
		out = readLines(ts, conn, lines)
	}
	_, err = ts.Stdout().Write(out)
	ts.Check(err)
}

// dial reaches sockets whose path is too long for a socket address.
func dial(path string) (*net.UnixConn, error) {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	short := fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), filepath.Base(path))
	return net.DialUnix("unix", nil, &net.UnixAddr{Name: short, Net: "unix"})
}

func readLines(ts *testscript.TestScript, conn io.Reader, n int) []byte {
	var out []byte
	one := make([]byte, 1)
	for n > 0 {
		_, err := conn.Read(one)
		ts.Check(err)
		out = append(out, one[0])
		if one[0] == '\n' {
			n--
		}
	}
	return out
}

// scriptPatience is how long a script waits for what should happen soon: far above what a busy machine takes.
const scriptPatience = 5 * time.Minute

// waitFor runs a command until it succeeds, at most for scriptPatience.
//
//	waitfor COMMAND ARG...        until it exits 0
//	! waitfor COMMAND ARG...      until it does not
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	deadline := time.Now().Add(scriptPatience)
	for {
		err := ts.Exec(args[0], args[1:]...)
		if (err == nil) != neg {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("waited %v for %v: %v", scriptPatience, args, err)
		}
		time.Sleep(20 * time.Millisecond) // between two tries of a foreign program
	}
}

// converse plays the lines of FILE to agent mcp as a client does: after a
// request it waits for the answer, after the last one it closes stdin. It
// prints all that the agent wrote.
//
//	converse FILE
func converse(ts *testscript.TestScript, neg bool, args []string) {
	cmd := exec.Command(filepath.Join(os.Getenv("TIDEPOOL_TEST_BIN"), "agent"), "mcp")
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = scriptEnv(ts)
	cmd.Stderr = ts.Stderr()
	in, err := cmd.StdinPipe()
	ts.Check(err)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	timer := time.AfterFunc(scriptPatience, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	replies := bufio.NewReader(out)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		_, err := io.WriteString(in, line)
		ts.Check(err)
		for id := requestID(ts, line); id != ""; {
			reply, err := replies.ReadString('\n')
			ts.Check(err)
			_, _ = io.WriteString(ts.Stdout(), reply)
			if requestID(ts, reply) == id {
				break
			}
		}
	}
	ts.Check(in.Close())
	_, err = io.Copy(ts.Stdout(), replies)
	ts.Check(err)
	ts.Check(cmd.Wait())
}

// requestID is the id of a JSON-RPC message as it stands there, "" for a
// notification.
func requestID(ts *testscript.TestScript, line string) string {
	var message struct {
		ID json.RawMessage `json:"id"`
	}
	ts.Check(json.Unmarshal([]byte(line), &message))
	return string(message.ID)
}

// scriptEnv is the environment of a script's programs, from what Setup sets.
func scriptEnv(ts *testscript.TestScript) []string {
	var env []string
	for _, key := range []string{"PATH", "HOME", "GOWORK", "GOCACHE", "GOMODCACHE", "GOPATH", "TMPDIR", "XDG_DATA_HOME", "TIDEPOOL_READY_BUDGET"} {
		env = append(env, key+"="+ts.Getenv(key))
	}
	return env
}

// sendSignal sends a signal to the process whose id is the file's content. One that is stopped goes on at the end of the script.
//
//	signal KILL FILE
func sendSignal(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]syscall.Signal{"KILL": syscall.SIGKILL, "TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP, "CONT": syscall.SIGCONT}
	pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(args[1])))
	ts.Check(err)
	if args[0] == "STOP" {
		ts.Defer(func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
		ts.Check(daemontest.Halt(pid))
		return
	}
	ts.Check(syscall.Kill(pid, signals[args[0]]))
}

// jsonl writes the value at a dotted path of the JSON in FILE (or stdout) to
// another file.
//
//	jsonl PATH FILE TO
func jsonl(ts *testscript.TestScript, neg bool, args []string) {
	value, err := dig([]byte(ts.ReadFile(args[1])), args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(value+"\n"), 0o600))
}
