package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// A daemon is the controlserver this demo started.
type daemon struct {
	bin, project string
	*daemontest.Daemon
}

func (d *daemon) program(name string) string { return filepath.Join(d.bin, name) }

// command prepares one of our programs in the project's directory.
func (d *daemon) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, d.program(name), args...)
	cmd.Dir = d.project
	return cmd
}

func (d *daemon) start(ctx context.Context) (err error) {
	if d.command(ctx, "agent", "health").Run() == nil {
		return errors.New("a daemon serves this checkout already: run bin/controlserver stop, then make demo")
	}
	took := step("bin/controlserver serve --scorer heuristic")
	cmd := d.command(context.WithoutCancel(ctx), "controlserver", "serve", "--scorer", "heuristic")
	if cmd.Env, err = d.environment(ctx); err != nil {
		return err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C reaches the demo, which stops the daemon
	if d.Daemon, err = daemontest.Run(cmd, d.project); err != nil {
		return err
	}
	if _, err := daemontest.Ask[*protocol.Pong](ctx, d.Socket(), &protocol.Ping{}); err != nil {
		return errors.Join(err, d.stop())
	}
	fmt.Printf("  answers Ping; process %d\n", d.PID())
	took()
	return nil
}

// environment has gopls keep its caches inside the checkout, and the daemon what it remembers, while Go keeps its own.
func (d *daemon) environment(ctx context.Context) ([]string, error) {
	goCache, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("asking for Go's cache: %w", err)
	}
	return append(os.Environ(),
		"GOCACHE="+strings.TrimSpace(string(goCache)),
		"XDG_CACHE_HOME="+filepath.Join(d.project, ".tidepool", "cache"),
		"XDG_DATA_HOME="+filepath.Join(d.project, ".tidepool", "data")), nil
}

// waitReady shows the seconds while the language server loads the workspace.
func (d *daemon) waitReady(ctx context.Context) error {
	took := step("bin/agent health --ready")
	done := tick("gopls loads the workspace")
	out, err := d.command(ctx, "agent", "health", "--ready", "--timeout", "10m").CombinedOutput()
	done()
	if err != nil {
		return fmt.Errorf("waiting for gopls: %w\n%s", err, out)
	}
	fmt.Println("  gopls has loaded the workspace")
	took()
	return nil
}

// stop ends the daemon and checks that neither it nor a language server lives.
func (d *daemon) stop() error {
	took := step("bin/controlserver stop")
	pids := append(d.serverPIDs(), d.PID())
	out, err := d.command(context.Background(), "controlserver", "stop").CombinedOutput()
	if err != nil {
		return fmt.Errorf("stopping the daemon: %w\n%s", err, out)
	}
	if <-d.Ended; !d.Cmd.ProcessState.Success() {
		return fmt.Errorf("the daemon ended with %v\n%s", d.Cmd.ProcessState, d.Stderr())
	}
	fmt.Printf("%s", indent(string(out)))
	for _, pid := range pids {
		if syscall.Kill(pid, 0) == nil {
			return fmt.Errorf("process %d is still running", pid)
		}
	}
	fmt.Printf("  processes %v are gone\n", pids)
	took()
	return nil
}

func (d *daemon) serverPIDs() []int {
	status, err := daemontest.Ask[*protocol.StatusResponse](context.Background(), d.Socket(), &protocol.StatusRequest{})
	if err != nil {
		return nil
	}
	var pids []int
	for _, server := range status.LanguageServers {
		if server.PID > 0 {
			pids = append(pids, server.PID)
		}
	}
	return pids
}
