// Package git runs git without trusting the project: it may be a clone of anything, and git runs programs that a
// repository's configuration names.
package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tidepool/internal/environ"
)

// Tracked reports whether a file is under version control, so that it may have come with the project. It does not start
// git if there is no repository. An error says that git could not tell.
func Tracked(ctx context.Context, file string) (bool, error) {
	dir, name := filepath.Split(file) // git does not see from outside what a submodule tracks
	if !inRepository(dir) {
		return false, nil
	}
	return lists(ctx, dir, name)
}

// ErrNoRepository says that a directory lies in no repository, so that nobody can tell who has put there what it holds.
var ErrNoRepository = errors.New("it lies in no repository")

// Tracks reports whether something below a directory is under version control. The error is ErrNoRepository, or says that
// git could not tell.
func Tracks(ctx context.Context, dir string) (bool, error) {
	if !inRepository(dir) {
		return false, ErrNoRepository
	}
	return lists(ctx, dir, ".")
}

// lists reports whether git tracks something at a name in a directory.
func lists(ctx context.Context, dir, name string) (bool, error) {
	cmd := exec.CommandContext(ctx, "git", append(Harmless(), "ls-files", "--error-unmatch", "--", name)...)
	cmd.Dir = dir
	cmd.Env = Environment(environ.Harmless(os.Environ(), nil))
	var failed *exec.ExitError
	switch err := cmd.Run(); {
	case err == nil:
		return true, nil
	case errors.As(err, &failed) && failed.ExitCode() == 1:
		return false, nil
	default:
		return false, fmt.Errorf("asking git about %s: %w", filepath.Join(dir, name), err)
	}
}

// Harmless are arguments in front of a command of git's. They keep git from running what a repository's configuration says,
// and from taking a directory for a repository that is none by its name: a clone can carry one.
func Harmless() []string {
	return []string{"-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit", "--no-optional-locks", "--literal-pathspecs"}
}

// Environment is env without what would point git at another repository.
func Environment(env []string) []string {
	var kept []string
	for _, entry := range env {
		if !strings.HasPrefix(entry, "GIT_") {
			kept = append(kept, entry)
		}
	}
	return kept
}

// inRepository reports whether dir or one above it has a .git of any kind.
func inRepository(dir string) bool {
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
