// Record runs the cases of internal/preview/recorded again and keeps what they print. It is run from the root of the repository.
//
// The programs are found on PATH: go, gcc, g++, clang, make, cargo, python3 with pytest, mypy, node, tar, git, npm, perl. -npm names a
// directory whose node_modules has typescript, eslint, jest and vitest. Arguments are names of cases; without any, all are run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tidepool/internal/preview/recorded"
)

// patience bounds a command. The longest one builds Go's standard library for the race detector.
const patience = 5 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("record", flag.ContinueOnError)
	dir := flags.String("dir", "internal/preview/recorded/testdata", "where cases and outputs are")
	npm := flags.String("npm", "", "a directory that has node_modules")
	if err := flags.Parse(args); err != nil {
		return err
	}
	cases, err := recorded.Cases(*dir)
	if err != nil {
		return err
	}
	for _, c := range cases {
		if flags.NArg() > 0 && !slices.Contains(flags.Args(), c.Name) {
			continue
		}
		out, err := record(ctx, c, *npm)
		if err != nil {
			return fmt.Errorf("running %s: %w", c.Name, err)
		}
		if err := recorded.WriteOutput(*dir, c.Name, out); err != nil {
			return err
		}
		fmt.Printf("%s: exit %d, %d bytes; lacks %q\n", c.Name, out.Exit, len(out.Stdout)+len(out.Stderr), c.Missing(ansi.Strip(out.Stdout+out.Stderr)))
	}
	return nil
}

// record runs a case in a directory of its own.
func record(ctx context.Context, c recorded.Case, npm string) (recorded.Output, error) {
	home, err := os.MkdirTemp("", "record")
	if err != nil {
		return recorded.Output{}, err
	}
	defer os.RemoveAll(home)
	project := filepath.Join(home, "shop")
	for _, file := range c.Files {
		path := filepath.Join(project, file.Path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return recorded.Output{}, err
		}
		if err := os.WriteFile(path, []byte(file.Text), 0o644); err != nil {
			return recorded.Output{}, err
		}
	}
	if npm != "" {
		if err := os.Symlink(filepath.Join(npm, "node_modules"), filepath.Join(home, "node_modules")); err != nil {
			return recorded.Output{}, err
		}
	}
	return execute(ctx, c.Run, home, npm)
}

func execute(ctx context.Context, line, home, npm string) (recorded.Output, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var stdout, stderr strings.Builder
	command := exec.CommandContext(ctx, "sh", "-c", line)
	command.Dir = filepath.Join(home, "shop")
	command.Env = append(os.Environ(), "PATH="+filepath.Join(npm, "node_modules", ".bin")+":"+os.Getenv("PATH"), "GOWORK=off", "GOFLAGS=", "RUST_BACKTRACE=0")
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err == nil || ctx.Err() != nil {
		return recorded.Output{}, fmt.Errorf("%q was to fail by itself: %w", line, ctx.Err())
	}
	neutral := neutral(home, npm)
	return recorded.Output{Exit: command.ProcessState.ExitCode(), Stdout: neutral(stdout.String()), Stderr: neutral(stderr.String())}, nil
}

// neutral returns what replaces the paths of this machine in a text.
func neutral(home, npm string) func(string) string {
	pairs := []string{home, "/home/dev"}
	if npm != "" {
		pairs = append(pairs, npm, "/home/dev")
	}
	if user, err := os.UserHomeDir(); err == nil && len(user) > 1 {
		pairs = append(pairs, user, "/home/dev")
	}
	return strings.NewReplacer(pairs...).Replace
}
