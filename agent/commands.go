package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"tidepool/agent/internal/health"
	"tidepool/agent/internal/hook"
	"tidepool/agent/internal/launch"
	"tidepool/agent/internal/lsp"
	"tidepool/agent/internal/mcp"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

func runHook(p *process, args []string) int {
	event, runtime, err := parseHook(args)
	if err != nil {
		misused(p, err.Error())
		return 1 // 2 would refuse every tool call of a client whose settings have a typing error
	}
	h := hook.Hook{
		Event:   event,
		Runtime: runtime,
		Start:   p.start,
		Dir:     p.dir,
		Getenv:  p.getenv,
		Environ: p.environ,
		Stdin:   p.stdin,
		Stdout:  p.stdout,
		Stderr:  p.stderr,

		Launcher: p.launcher,
	}
	return h.Run()
}

func parseHook(args []string) (event protocol.Event, runtime string, err error) {
	runtime = "claude"
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		value, isRuntime := strings.CutPrefix(arg, "--runtime=")
		switch {
		case isRuntime:
			runtime = value
		case arg == "--runtime" && len(args) > 0:
			runtime, args = args[0], args[1:]
		case strings.HasPrefix(arg, "-"):
			return "", "", fmt.Errorf("agent hook does not understand %s", arg)
		case event != "":
			return "", "", fmt.Errorf("agent hook takes one event, got %s and %s", event, arg)
		default:
			event = protocol.ParseEvent(arg)
		}
	}
	if event == "" {
		return "", "", errors.New("agent hook needs an event, such as pre-tool-use")
	}
	if !protocol.IsRuntime(runtime) {
		return "", "", fmt.Errorf("--runtime is claude, codex, cursor or gemini, not %q", runtime)
	}
	return event, runtime, nil
}

func runHealth(p *process, args []string) int {
	check := health.Check{Place: protocol.Locate(p.getenv, p.dir), Stderr: p.stderr}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		value, isTimeout := strings.CutPrefix(arg, "--timeout=")
		if arg == "--timeout" && len(args) > 0 {
			value, isTimeout, args = args[0], true, args[1:]
		}
		switch {
		case arg == "--ready":
			check.Ready = true
		case isTimeout:
			limit, err := time.ParseDuration(value)
			if err != nil || limit <= 0 {
				return misused(p, fmt.Sprintf("--timeout is a duration such as 5s, not %q", value))
			}
			check.Timeout = limit
		default:
			return misused(p, "agent health does not understand "+arg)
		}
	}
	return check.Run()
}

func runMCP(ctx context.Context, p *process, args []string) int {
	if len(args) > 0 {
		return misused(p, "agent mcp takes no arguments, got "+args[0])
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	mcp.Serve(ctx, mcp.Options{
		Locate:  func() protocol.Place { return protocol.Locate(p.getenv, p.dir) },
		Dir:     p.dir,
		Version: version,
		PID:     os.Getpid(),
		Session: p.getenv("CLAUDE_CODE_SESSION_ID"),
		In:      p.stdin,
		Out:     p.stdout,

		Launcher: p.launcher(),
		Gone:     stdoutGone,
	})
	return 0
}

func runLSP(p *process, args []string) int {
	if len(args) != 1 || args[0] == "" || args[0][0] == '-' {
		return misused(p, "agent lsp takes one language, such as go or typescript")
	}
	s := lsp.Server{
		Language: args[0],
		Place:    protocol.Locate(p.getenv, p.dir),
		Dir:      p.dir,
		Version:  version,
		In:       p.stdin,
		Out:      p.stdout,
		Stderr:   p.stderr,

		Launcher: p.launcher(),
	}
	return s.Run()
}

// callStartLimit is how long a call waits for a daemon that it starts: one answers within 50 ms where nothing else runs.
const callStartLimit = 10 * time.Second

// startDaemon starts the daemon of a project that has none. If it cannot, it says why; the command itself then says that there is
// none.
func startDaemon(p *process) {
	place := protocol.Locate(p.getenv, p.dir)
	if !place.Managed {
		return
	}
	reportStart(p, p.launcher().Start(place, p.start.Add(callStartLimit)))
}

// runRenew has the project's daemon, if one runs, hand over to the controlserver beside this program.
func runRenew(p *process) int {
	place := protocol.Locate(p.getenv, p.dir)
	if place.Managed && !reportStart(p, p.launcher().Renew(place, p.start.Add(callStartLimit))) {
		return 1
	}
	return 0
}

// reportStart reports whether a start has not failed; that nobody may start a daemon is no failure.
func reportStart(p *process, err error) bool {
	if err == nil || errors.Is(err, launch.ErrNobody) {
		return true
	}
	fmt.Fprintf(p.stderr, "error: the daemon does not start: %v\n", err)
	if hint := wording.HintOf(err); hint != "" {
		fmt.Fprintf(p.stderr, "hint: %s\n", hint)
	}
	return false
}

// launcher returns what starts daemons.
func (p *process) launcher() *launch.Launcher { return launch.New(p.environ()) }
