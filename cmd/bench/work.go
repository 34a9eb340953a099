package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"tidepool/internal/work"
)

// How many files the repository has whose state is asked for, and how long bd and gh take there.
const (
	committed = 50_000
	slow      = "0.2" // seconds
)

// measureWork asks for the state of the work where bd and gh are scripts that take 200 ms, against the slowest source: one
// of the scripts, or git status.
func measureWork(ctx context.Context, b *bench) (figure, error) {
	dir, bin, err := b.newRepository(ctx)
	if err != nil {
		return figure{}, err
	}
	path := "PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH")
	w := work.New(work.Options{Dir: dir, Env: append(os.Environ(), path)})
	ours := timing(func(int) error {
		if s := w.Status(ctx, ""); len(s.Gaps) > 0 {
			return fmt.Errorf("missing: %+v", s.Gaps)
		}
		return nil
	})
	run := func(name string, args ...string) side {
		return timing(func(int) error {
			cmd := exec.CommandContext(ctx, name, args...)
			cmd.Dir = dir
			return cmd.Run()
		})
	}
	slowest, err := alternate(15, 2, ours, run(filepath.Join(bin, "bd")))
	if err != nil {
		return figure{}, err
	}
	git, err := alternate(15, 2, ours, run("git", "--no-optional-locks", "status", "--porcelain=v2"))
	if err != nil {
		return figure{}, err
	}
	status := median(git.theirs)
	if status > median(slowest.theirs) {
		slowest = git
	}
	f := slowest.atMost(1.3)
	f.detail += fmt.Sprintf("; git status alone takes %s", round(status))
	return f, nil
}

// newRepository makes a repository of many files on a branch of an issue, and a directory with slow programs.
func (b *bench) newRepository(ctx context.Context) (dir, bin string, err error) {
	base, err := os.MkdirTemp(b.temp, "work-")
	if err != nil {
		return "", "", err
	}
	dir, bin = filepath.Join(base, "repository"), filepath.Join(base, "bin")
	for i := range committed {
		name := filepath.Join(dir, fmt.Sprintf("d%03d", i/500), fmt.Sprintf("f%05d", i))
		if i%500 == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return "", "", err
			}
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			return "", "", err
		}
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch", "bd-demo-1/fix"},
		{"add", "-A"},
		{"-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "--quiet", "-m", "begin"},
		{"remote", "add", "origin", "https://github.com/acme/demo"},
	} {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", "", fmt.Errorf("git %s: %w\n%s", args[0], err, out)
		}
	}
	if err := os.Mkdir(bin, 0o755); err != nil {
		return "", "", err
	}
	for name, answer := range map[string]string{"bd": `[{"id":"demo-1","title":"Fix","status":"open"}]`, "gh": `[]`} {
		script := fmt.Sprintf("#!/bin/sh\nsleep %s\necho '%s'\n", slow, answer)
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			return "", "", err
		}
	}
	return dir, bin, nil
}
