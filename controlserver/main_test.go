package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tidepool/controlserver/internal/command"
	"tidepool/internal/ancestry/ancestrytest"
	"tidepool/internal/daemontest"
	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/wasmtest"
)

// asProgram makes the test binary the program itself.
const asProgram = "TIDEPOOL_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	// These have no environment to be told so. Taken for a run of the tests they would start themselves without end.
	inner := len(os.Args) > 1 && slices.Contains([]string{wasmtest.Subcommand, analysis.Subcommand, "sandbox"}, os.Args[1])
	if inner || os.Getenv(asProgram) != "" {
		main()
	}
	if socket := os.Getenv(asLine); socket != "" {
		os.Exit(exchangeLine(socket))
	}
	if signal.Ignored(syscall.SIGHUP) { // under nohup, and what is started here would ignore it, too
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	os.Exit(ancestrytest.Detach(func() int { return daemontest.Trusting(m.Run) }))
}

// asLine is the variable with a socket for a process that sends it the line on its standard input, and prints the reply.
const asLine = "TIDEPOOL_TEST_LINE"

func exchangeLine(socket string) int {
	conn, err := net.Dial("unix", socket)
	if err == nil {
		defer conn.Close()
		_, err = io.Copy(conn, os.Stdin)
	}
	var reply string
	if err == nil {
		reply, err = bufio.NewReader(conn).ReadString('\n')
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Print(reply)
	return 0
}

// program returns controlserver, to be run in dir with the variables on top of a plain environment.
func program(t *testing.T, dir string, vars []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Dir = dir
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if slices.Contains([]string{"PATH", "HOME", "TMPDIR", "XDG_STATE_HOME", "XDG_DATA_HOME", "GOPATH", "GOCACHE", "GOMODCACHE", "GOROOT", "GOFLAGS", "GOPROXY", "GOTOOLCHAIN"}, name) {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	cmd.Env = append(cmd.Env, asProgram+"=1", "GORACE=atexit_sleep_ms=0")
	cmd.Env = append(cmd.Env, vars...)
	return cmd
}

// A result is how a run of the program ended.
type result struct {
	out, err string
	code     int
}

func runProgram(t *testing.T, dir string, vars []string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := program(t, dir, vars, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatal(err)
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// want checks a result; texts are contained in what was printed, "" means nothing was.
func (r result) want(t *testing.T, code int, out, errs string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d", r.code, code)
	}
	if !strings.Contains(r.out, out) || out == "" && r.out != "" {
		t.Errorf("stdout is %q, want %q", r.out, out)
	}
	if !strings.Contains(r.err, errs) || errs == "" && r.err != "" {
		t.Errorf("stderr is %q, want %q", r.err, errs)
	}
}

func TestCommandLine(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		name      string
		args      []string
		code      int
		out, errs string
	}{
		{"nothing", nil, 2, "", "error: expected one of"},
		{"unknown command", []string{"srve"}, 2, "", "did you mean `controlserver serve`?"},
		{"unknown flag", []string{"status", "--jsn"}, 2, "", "did you mean `controlserver status --json`?"},
		{"no such project", []string{"status", "--project", "/nowhere"}, 2, "", "error: --project: stat /nowhere: no such file"},
		{"no such scorer", []string{"serve", "--scorer", "dice"}, 2, "", "--scorer must be one of"},
		{"no such level", []string{"serve", "--log-level", "loud"}, 2, "", "--log-level must be one of"},
		{"hint", []string{"--nonsense"}, 2, "", "hint: --help lists the commands, and behind a command its flags\n"},
		{"help", []string{"--help"}, 0, "Usage: controlserver <command>", ""},
		{"help of a command", []string{"serve", "--help"}, 0, "--scorer=NAME", ""},
		{"version", []string{"version"}, 0, "controlserver dev (commit unknown, build ", ""},
		{"version as a flag", []string{"--version"}, 0, "controlserver dev (commit unknown, build ", ""},
		{"stop nothing", []string{"stop"}, 0, "not running\n", ""},
		{"status of nothing", []string{"status"}, 1, "", "error: not running: no daemon serves " + dir + "\nhint: the project has no .tidepool yet: agent init sets it up\n"},
		{"status of nothing as JSON", []string{"status", "--json"}, 1, `{"running":false,"error":"not running`, "error: not running"},
		{"flag before command", []string{"--project", dir, "stop"}, 0, "not running\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			runProgram(t, dir, nil, tt.args...).want(t, tt.code, tt.out, tt.errs)
		})
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("asking left %v in the project (%v)", entries, err)
	}
}

func TestExitCode(t *testing.T) {
	for want, err := range map[int]error{
		0: nil,
		1: errors.New("failed"),
		2: fmt.Errorf("wrapped: %w", &command.UsageError{Err: errors.New("unknown flag")}),
	} {
		if got := exitCode(err); got != want {
			t.Errorf("exitCode(%v) = %d, want %d", err, got, want)
		}
	}
}

// An advised error has a hint.
type advised struct{ what, hint string }

func (e *advised) Error() string { return e.what }
func (e *advised) Hint() string  { return e.hint }

func TestPrintError(t *testing.T) {
	tests := []struct {
		err  error
		want string
	}{
		{nil, ""},
		{errors.New("plain"), "error: plain\n"},
		{fmt.Errorf("outside: %w", &advised{"inside", "try again"}), "error: outside: inside\nhint: try again\n"},
		{&advised{"no advice", ""}, "error: no advice\n"},
		{errors.Join(&advised{"a", "b"}, errors.New("c")), "error: a\nhint: b\nerror: c\n"},
		{errors.New("two\nlines \x1b[31m"), `error: two\nlines \x1b[31m` + "\n"},
	}
	for _, tt := range tests {
		var out bytes.Buffer
		printError(&out, tt.err)
		if out.String() != tt.want {
			t.Errorf("%v prints %q, want %q", tt.err, out.String(), tt.want)
		}
	}
}
