package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A source is a checkout, and what the files of a release take from it.
type source struct {
	root    string
	version string
	commit  string
	time    time.Time // of the commit: the time of every file
}

// readVersion returns the source in root, whose commit is not known yet.
func readVersion(root string) (*source, error) {
	version, err := os.ReadFile(filepath.Join(root, "VERSION"))
	if err != nil {
		return nil, err
	}
	return &source{root: root, version: strings.TrimSpace(string(version))}, nil
}

// readCommit reads the commit and its time. SOURCE_DATE_EPOCH replaces the time, as in other builds that are reproducible.
func (s *source) readCommit(ctx context.Context) (err error) {
	if s.commit, err = s.git(ctx, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"); err != nil {
		return err
	}
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" {
		if seconds, err = s.git(ctx, "show", "--no-patch", "--format=%ct", "HEAD"); err != nil {
			return err
		}
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH is %q, not a number of seconds", seconds)
	}
	s.time = time.Unix(unix, 0).UTC()
	return nil
}

func (s *source) git(ctx context.Context, args ...string) (string, error) {
	out, err := s.command(ctx, nil, "git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: a release is built from a git checkout", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}

func (s *source) command(ctx context.Context, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = s.root, append(os.Environ(), env...), os.Stderr
	return cmd
}

// A target is a platform that programs are built for.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

func allTargets() []target {
	return []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}}
}

func targetNames() []string {
	var names []string
	for _, t := range allTargets() {
		names = append(names, t.String())
	}
	return names
}

func chooseTargets(names string) ([]target, error) {
	var chosen []target
	for name := range strings.SplitSeq(names, ",") {
		found := false
		for _, t := range allTargets() {
			if t.String() == name {
				chosen, found = append(chosen, t), true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no target %q: the targets are %s", name, strings.Join(targetNames(), ", "))
		}
	}
	return chosen, nil
}

// compile builds both programs into dir, as make build does: static, without paths of this machine.
func (s *source) compile(ctx context.Context, t target, dir string) error {
	env := []string{"CGO_ENABLED=0", "GOOS=" + t.os, "GOARCH=" + t.arch}
	flags := fmt.Sprintf("-s -w -X main.version=%s -X main.commit=%s", s.version, s.commit)
	for _, program := range []string{"agent", "controlserver"} {
		cmd := s.command(ctx, env, "go", "build", "-trimpath", "-buildvcs=false", "-buildmode=exe", "-ldflags", flags,
			"-o", filepath.Join(dir, program), "./"+program)
		if out, err := cmd.Output(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", program, err, out)
		}
	}
	return nil
}

// pages returns the completions and manual pages, which the programs of this machine print: all platforms have the same command line.
func (s *source) pages(ctx context.Context, work string) ([]entry, error) {
	dir := filepath.Join(work, "here")
	if err := s.compile(ctx, target{runtime.GOOS, runtime.GOARCH}, dir); err != nil {
		return nil, err
	}
	return s.printedBy(ctx, filepath.Join(dir, "controlserver"))
}

// printedBy returns what a controlserver prints about both programs.
func (s *source) printedBy(ctx context.Context, controlserver string) ([]entry, error) {
	var pages []entry
	for _, program := range []string{"agent", "controlserver"} {
		for path, args := range map[string][]string{
			"share/bash-completion/completions/" + program:         {"completion", "bash", "--of", program},
			"share/zsh/site-functions/_" + program:                 {"completion", "zsh", "--of", program},
			"share/fish/vendor_completions.d/" + program + ".fish": {"completion", "fish", "--of", program},
			"share/man/man1/" + program + ".1":                     {"manual-page", program, s.version},
		} {
			out, err := s.command(ctx, nil, controlserver, args...).Output()
			if err != nil {
				return nil, fmt.Errorf("controlserver %s: %w", strings.Join(args, " "), err)
			}
			pages = append(pages, entry{name: path, mode: 0o644, data: out})
		}
	}
	return pages, nil
}
