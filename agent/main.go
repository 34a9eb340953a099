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
	"strings"
	"time"

	"tidepool/agent/internal/launch"
	"tidepool/internal/sandbox/confine"
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

const usage = `Usage: agent <command>

Commands:
  hook <event> [--runtime claude|gemini]   send the hook event on stdin to the daemon and print its answer
  mcp                                      serve the daemon's tools to an MCP client on stdin and stdout
  lsp <language>                           connect stdin and stdout to the daemon's language server
  shell LINE                               run a shell line and take the secrets out of its output; see init --scrub
  health [--ready] [--timeout DURATION]    check whether the daemon answers; --ready waits for language servers
  init, uninit                             set a project up for Claude Code, or undo it
  trust [--remove|--list]                  allow what the project brings along to run
  status, doctor, logs, policy             show the daemon's state, what is wrong, its log, its policy rules
  audit [verify]                           show what the safe tools did; check that nobody has changed it
  ui                                       show the open questions and what the daemon does
  url [--mcp|--headers]                    print the URL of the daemon's loopback port, with its token
  search WORDS                             find what was said in old conversations
  conversations                            find, read, resume, export and forget them
  memory                                   find, save, show and forget what is remembered; why says what a prompt is told
  questions, answer                        list the open questions; answer one
  call [<tool> [ARGUMENTS]]                call a tool of the daemon; without one, list all
  help, version                            print this, or the version

controlserver runs the commands from init to call: agent status --help shows the flags of status.

The daemon is found through $TIDEPOOL_CONTROL_SOCKET, else in .tidepool of $TIDEPOOL_PROJECT_DIR, of
$CLAUDE_PROJECT_DIR or of the working directory, the latter two with their parent directories.
If the project has a .tidepool and no daemon, hook session-start, hook user-prompt-submit, mcp and lsp start the
controlserver beside this program; TIDEPOOL_AUTOSTART=0 switches that off.
With TIDEPOOL_FAIL_MODE=closed a hook without an answer refuses; by default it passes.
With TIDEPOOL_RECALL=0 nothing of the session is remembered, and nothing is recalled in it.
TIDEPOOL_HOOK_TIMEOUT=3s limits a hook; the default is 6s, and 0.8s at the end of a session.

Exit status: 0 fine, 1 failed, 2 wrong command line. A hook exits as the daemon says.
`

// run returns the exit status.
func run(ctx context.Context, p *process) int {
	if len(p.args) == 0 {
		fmt.Fprint(p.stderr, usage)
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
	case "sandbox": // the process between the daemon and a confined command; the daemon starts it here because this program starts fastest
		return confine.Main()
	case "help", "--help", "-h":
		fmt.Fprint(p.stdout, usage)
		return 0
	case "version", "--version":
		fmt.Fprintln(p.stdout, protocol.DescribeBuild("agent", version, commit))
		return 0
	default:
		if slices.Contains(serverCommands(), command) {
			if command == "call" && len(rest) > 0 {
				startDaemon(p)
			}
			return execServer(p)
		}
		return unknown(p, command)
	}
}

// serverCommands returns the commands that controlserver runs.
func serverCommands() []string {
	return strings.Fields("init uninit trust status doctor logs policy audit questions answer ui url search conversations memory tools call")
}

// unknown reports a command that does not exist, with the one that may be meant.
func unknown(p *process, command string) int {
	commands := append(strings.Fields("hook health mcp lsp shell help version"), serverCommands()...)
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
