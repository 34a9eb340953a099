package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"tidepool/internal/daemontest"
	"tidepool/internal/trust"
)

//go:embed shop.txtar
var shop []byte

// A stage is a home directory with a project in it, and the project's daemon. The caller calls close.
type stage struct {
	bin, home, project string
	environ            []string
	daemon             *daemontest.Daemon
}

func newStage(ctx context.Context, bin string) (*stage, error) {
	home, err := os.MkdirTemp("", "tidepool-screenshots-")
	if err != nil {
		return nil, err
	}
	s := &stage{bin: bin, home: home, project: filepath.Join(home, "src", "shop")}
	if err := s.set(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *stage) set(ctx context.Context) error {
	resolved, err := filepath.EvalSymlinks(s.home) // the daemon's own idea of it
	if err != nil {
		return err
	}
	s.project = filepath.Join(resolved, "src", "shop")
	if s.environ, err = environment(ctx, s.bin, resolved); err != nil {
		return err
	}
	if err := s.furnish(ctx); err != nil {
		return err
	}
	if s.daemon, err = daemontest.Run(s.command(context.WithoutCancel(ctx), "controlserver", "serve", "--scorer", "heuristic"), s.project); err != nil {
		return err
	}
	return s.run(s.command(ctx, "agent", "health", "--ready", "--timeout", "5m"))
}

// furnish makes the project, and trusts it.
func (s *stage) furnish(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Join(s.project, ".tidepool"), 0o700); err != nil {
		return err
	}
	if err := txtar.Write(txtar.Parse(shop), s.project); err != nil {
		return err
	}
	if err := s.run(s.command(ctx, "git", "init", "--quiet")); err != nil {
		return err
	}
	_, err := trust.Open(s.variable).Grant(s.project)
	return err
}

// environment returns what the programs see: a home of their own, and of this machine Go and its caches alone.
func environment(ctx context.Context, bin, home string) ([]string, error) {
	goEnv, err := exec.CommandContext(ctx, "go", "env", "GOROOT", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("asking go for its caches: %w", err)
	}
	dirs := strings.Split(string(goEnv), "\n")
	return []string{
		"HOME=" + home, "PATH=" + bin + ":" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "TZ=UTC",
		"GOROOT=" + dirs[0], "GOCACHE=" + dirs[1], "GOMODCACHE=" + dirs[2], "GOPROXY=off", "GOTOOLCHAIN=local",
		"TIDEPOOL_READY_BUDGET=4m", // a picture shows what is answered, and not how soon on a busy machine
	}, nil
}

// variable returns a variable of the programs' environment.
func (s *stage) variable(name string) string {
	for _, entry := range s.environ {
		if value, is := strings.CutPrefix(entry, name+"="); is {
			return value
		}
	}
	return ""
}

// command prepares a program in the project's directory: one of bin, or one of the system.
func (s *stage) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	if own := filepath.Join(s.bin, name); name == "agent" || name == "controlserver" {
		name = own
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = s.project, s.environ
	return cmd
}

// run runs a command whose output no picture shows.
func (s *stage) run(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return nil
}

// close stops the daemon, and removes the home directory.
func (s *stage) close() error {
	var err error
	if s.daemon != nil {
		err = s.daemon.Stop()
	}
	return errors.Join(err, os.RemoveAll(s.home))
}
