package conversation

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidepool/internal/conversation/store"
)

// A PatternError means that a pattern of directories cannot be used.
type PatternError struct{ Pattern string }

func (e *PatternError) Error() string {
	return fmt.Sprintf("%q is no pattern of directories", e.Pattern)
}

// Hint says what a pattern is.
func (*PatternError) Hint() string {
	return `write a path, or a pattern such as "/home/me/src/*/private" or "scratch"`
}

// Exclude stops the reading of sessions that run in a directory which the pattern matches, as path.Match has it, or below one. A pattern
// that begins with / matches whole paths, another one the end of a path. What is stored already stays, see Forget.
func (a *Archive) Exclude(ctx context.Context, pattern string) error {
	if _, err := path.Match(pattern, ""); err != nil || strings.Trim(pattern, "/") == "" {
		return &PatternError{pattern}
	}
	return a.write(ctx, func(s *store.Store) error { return s.Exclude(ctx, pattern) })
}

// Exclusions returns the patterns that Exclude has stored.
func (a *Archive) Exclusions(ctx context.Context) ([]string, error) {
	s, err := a.open(ctx)
	if err != nil || s == nil {
		return nil, err
	}
	return s.Exclusions(ctx)
}

// excluded reports whether a pattern matches a directory, or one above it.
func excluded(patterns []string, dir string) bool {
	for at := path.Clean(dir); at != "/" && at != "."; at = path.Dir(at) {
		if slices.ContainsFunc(patterns, func(p string) bool { return matches(p, at) }) {
			return true
		}
	}
	return false
}

func matches(pattern, dir string) bool {
	if !strings.HasPrefix(pattern, "/") { // the end of the path: as many names as the pattern has
		names, n := strings.Split(dir, "/"), strings.Count(pattern, "/")+1
		dir = strings.Join(names[max(0, len(names)-n):], "/")
	}
	ok, err := path.Match(strings.TrimSuffix(pattern, "/"), dir)
	return ok && err == nil
}

// unwanted says why a session is not stored; "" if it is.
func (k *Keeper) unwanted(tx *store.Tx, row *store.File, sid, cwd string) (why string, err error) {
	forgotten, err := tx.IsForgotten(sid)
	if err != nil || forgotten || row.Why == store.Forgotten {
		return store.Forgotten, err
	}
	patterns, err := tx.Exclusions()
	if err != nil {
		return "", err
	}
	if excluded(patterns, cwd) || excluded(k.archive.options.Exclude, cwd) {
		return "its directory is excluded", nil
	}
	return "", nil
}
