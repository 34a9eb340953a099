package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"tidepool/internal/environ"
)

// IsAncestor reports whether a commit, by its full or abbreviated hash, is the one that is checked out in a directory, or an ancestor of it. An error
// says that git could not tell, as for a commit that the repository does not have.
func IsAncestor(ctx context.Context, dir, commit string) (bool, error) {
	if !isHash(commit) {
		return false, errors.New("it is not the hash of a commit")
	}
	cmd := exec.CommandContext(ctx, "git", append(Harmless(), "merge-base", "--is-ancestor", commit, "HEAD")...)
	cmd.Dir = dir
	cmd.Env = Environment(environ.Harmless(os.Environ(), nil))
	var failed *exec.ExitError
	switch err := cmd.Run(); {
	case err == nil:
		return true, nil
	case errors.As(err, &failed) && failed.ExitCode() == 1:
		return false, nil
	default:
		return false, fmt.Errorf("asking git about a commit in %s: %w", dir, err)
	}
}

// isHash reports whether a text may be a hash: 7 to 64 hexadecimal digits.
func isHash(text string) bool {
	for _, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(text) >= 7 && len(text) <= 64
}
