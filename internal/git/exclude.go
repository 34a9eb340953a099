package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/environ"
)

// Exclude returns the top of the work tree around a directory, and the repository's own list of files that git does not show, which may
// be missing. Both are absolute. The error is ErrNoRepository, or says that git could not tell.
func Exclude(ctx context.Context, dir string) (top, list string, err error) {
	if !inRepository(dir) {
		return "", "", ErrNoRepository
	}
	out, err := output(ctx, dir, "rev-parse", "--show-toplevel", "--git-path", "info/exclude")
	if err != nil {
		return "", "", fmt.Errorf("asking git about %s: %w", dir, err)
	}
	top, list, _ = strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	if !filepath.IsAbs(list) {
		list = filepath.Join(dir, list)
	}
	if !filepath.IsAbs(top) || strings.Contains(list, "\n") {
		return "", "", fmt.Errorf("asking git about %s: a path with a line break", dir)
	}
	return top, list, nil
}

// Ignored reports whether git shows nothing of a file that it does not track, because of a list of its user's or the project's.
func Ignored(ctx context.Context, file string) (bool, error) {
	dir, name := filepath.Split(file)
	for !isDir(dir) { // it may be made later
		name = filepath.Join(filepath.Base(dir), name)
		dir = filepath.Dir(filepath.Clean(dir))
	}
	if !inRepository(dir) {
		return false, nil
	}
	_, err := output(ctx, dir, "check-ignore", "-q", "--", "./"+name) // so that no name is magic, as literal pathspecs are refused here
	var failed *exec.ExitError
	switch {
	case err == nil:
		return true, nil
	case errors.As(err, &failed) && failed.ExitCode() == 1:
		return false, nil
	}
	return false, fmt.Errorf("asking git about %s: %w", file, err)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// output returns what git prints. No argument of its callers is a pathspec with magic.
func output(ctx context.Context, dir string, args ...string) (string, error) {
	harmless := slices.DeleteFunc(Harmless(), func(arg string) bool { return arg == "--literal-pathspecs" })
	cmd := exec.CommandContext(ctx, "git", append(harmless, args...)...)
	cmd.Dir = dir
	cmd.Env = Environment(environ.Harmless(os.Environ(), nil))
	out, err := cmd.Output()
	return string(out), err
}
