package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// Spawned lists the worktrees that were made for issues.
type Spawned struct {
	Worktrees [][2]string `json:"worktrees"` // issue, absolute path
	Bootstrap []string    `json:"bootstrap"` // a command for each
	Failed    [][2]string `json:"failed"`    // issue, reason
}

// A PlannedWorktree is a worktree that is to be made.
type PlannedWorktree struct {
	Bead   Bead
	Branch string // to be made from Base
	Base   string
	Path   string // absolute
}

// PlanWorktrees plans a worktree below <main checkout>/.worktrees for each issue; failed has the issues that get none, with the
// reason. It makes nothing.
func (w *Work) PlanWorktrees(ctx context.Context, ids []string) (plots []PlannedWorktree, failed [][2]string, err error) {
	p, err := within(ctx, w.times.git, w.position)
	if err != nil {
		return nil, nil, err
	}
	base, err := within(ctx, w.times.git, w.base)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		bead, err := within(ctx, w.times.tracker, func(ctx context.Context) (*Bead, error) { return w.bead(ctx, id) })
		var unknown *NoBeadError
		switch {
		case errors.As(err, &unknown):
			failed = append(failed, [2]string{id, "Bead not found: " + id})
		case err != nil:
			failed = append(failed, [2]string{id, err.Error()})
		case bead.Status == "blocked":
			failed = append(failed, [2]string{id, "Bead is blocked: " + bead.ID})
		default:
			plots = append(plots, plotFor(*bead, p.worktree.RepoRoot, base))
		}
	}
	return plots, failed, nil
}

func plotFor(b Bead, root, base string) PlannedWorktree {
	slug := slugOf(b.Title)
	return PlannedWorktree{Bead: b, Base: base, Branch: "bd-" + b.ID + "/" + slug, Path: filepath.Join(root, ".worktrees", "bd-"+b.ID+"-"+slug)}
}

// slugOf makes a title fit for a branch and a directory: its words in lower case with hyphens between them.
func slugOf(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	const longest = 48 // bytes
	slug := ""
	for _, word := range words {
		if len(slug)+len(word) >= longest {
			break
		}
		slug = strings.TrimPrefix(slug+"-"+word, "-")
	}
	if slug == "" {
		return "untitled"
	}
	return slug
}

// base returns where branches begin: the default branch of origin as last fetched, else what is checked out.
func (w *Work) base(ctx context.Context) (string, error) {
	for _, ref := range []string{"origin/HEAD", "origin/main", "origin/master", "HEAD"} {
		if _, err := w.git(ctx, "rev-parse", "--verify", "--quiet", ref+"^{commit}"); err == nil {
			return ref, nil
		} else if ctx.Err() != nil {
			return "", err
		}
	}
	return "", errors.New("the repository has no commit to begin a branch at")
}

// Spawn makes the worktrees. Their directory is kept out of git's sight by a .gitignore of its own.
func (w *Work) Spawn(ctx context.Context, plots []PlannedWorktree) Spawned {
	s := Spawned{Worktrees: [][2]string{}, Bootstrap: []string{}, Failed: [][2]string{}}
	for _, p := range plots {
		if err := w.plough(ctx, p); err != nil {
			s.Failed = append(s.Failed, [2]string{p.Bead.ID, err.Error()})
			continue
		}
		s.Worktrees = append(s.Worktrees, [2]string{p.Bead.ID, p.Path})
		s.Bootstrap = append(s.Bootstrap, fmt.Sprintf("cd %s && claude", quoted(p.Path)))
	}
	return s
}

func (w *Work) plough(ctx context.Context, p PlannedWorktree) error {
	parent := filepath.Dir(p.Path)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	ignore := filepath.Join(parent, ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, os.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
			return err
		}
	}
	_, err := within(ctx, w.times.git, func(ctx context.Context) (string, error) {
		return w.git(ctx, "worktree", "add", "--quiet", "--no-track", "-b", p.Branch, p.Path, p.Base)
	})
	return err
}

// quoted returns a path as a shell takes it.
func quoted(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }
