// Agent is the shim between Claude Code and tidepool's daemon: `agent hook`
// forwards hook events, `agent mcp` is an MCP server on stdio, `agent lsp` a
// language server, `agent health` checks whether the daemon answers.
//
// It starts for every hook, so every hook pays for its imports: the standard
// library without net, tidepool/protocol, and small leaf packages.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"tidepool/agent/internal/launch"
	"tidepool/internal/sandbox/confine"
	"tidepool/internal/usage"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// The linker sets version and commit: -X main.version=1.2.3 -X main.commit=0123456789ab.
var (
	version = "dev"
	commit  = ""
)

func main() {
	start := time.Now()
	dir, err := workdir()
	if err != nil {
		dir = "/" // it was removed; the environment may still name a project
	}
	args := os.Args[1:]
	if isShell(os.Args[0]) {
		args = append([]string{"shell"}, args...)
	}
	os.Exit(run(context.Background(), &process{
		args:    args,
		start:   start,
		dir:     dir,
		getenv:  os.Getenv,
		environ: os.Environ,
		stdin:   os.Stdin,
		stdout:  os.Stdout,
		stderr:  os.Stderr,
	}))
}

// A process is what a command uses of the operating system.
type process struct {
	args    []string
	start   time.Time
	dir     string // the working directory, absolute
	getenv  func(string) string
	environ func() []string
	stdin   *os.File
	stdout  io.Writer
	stderr  io.Writer
}

// run returns the exit status.
func run(ctx context.Context, p *process) int {
	if len(p.args) == 0 {
		fmt.Fprint(p.stderr, usage.Text())
		return 2
	}
	switch command, rest := p.args[0], p.args[1:]; command {
	case "hook":
		return runHook(p, rest)
	case "health":
		return runHealth(p, rest)
	case "mcp":
		return runMCP(ctx, p, rest)
	case "lsp":
		return runLSP(p, rest)
	case "shell":
		return runShell(p, rest)
	case "spawn": // one process between a client and the daemon that it starts, see package launch
		return launch.Spawn(rest, p.stderr)
	case "renew": // what agent upgrade does at its end, by the new agent
		return runRenew(p)
	case "sandbox": // the process between the daemon and a confined command; the daemon starts it here because this program starts fastest
		return confine.Main()
	case "help", "--help", "-h":
		if len(rest) == 1 && slices.Contains(serverCommands(), rest[0]) {
			p.args = []string{rest[0], "--help"}
			return execServer(p)
		}
		fmt.Fprint(p.stdout, usage.Text())
		return 0
	case "version", "--version":
		fmt.Fprintln(p.stdout, protocol.DescribeBuild("agent", version, commit))
		return 0
	default:
		if slices.Contains(serverCommands(), command) {
			if (command == "call" || command == "scout") && len(rest) > 0 {
				startDaemon(p)
			}
			return execServer(p)
		}
		return unknown(p, command)
	}
}

// serverCommands lists the commands that controlserver carries out.
func serverCommands() []string {
	return usage.Names(func(c usage.Command) bool { return c.Server })
}

// unknown reports a command that does not exist, with the one that may be meant.
func unknown(p *process, command string) int {
	commands := usage.Names(func(usage.Command) bool { return true })
	hint := "run `agent help`"
	if near := wording.Nearest(command, commands, 1); len(near) > 0 {
		hint = fmt.Sprintf("did you mean `agent %s`? `agent help` lists the commands", near[0])
	}
	fmt.Fprintf(p.stderr, "error: unknown command %q\nhint: %s\n", command, hint)
	return 2
}

// misused reports a wrong command line.
func misused(p *process, what string) int {
	fmt.Fprintf(p.stderr, "error: %s\nhint: run `agent help`\n", what)
	return 2
}
