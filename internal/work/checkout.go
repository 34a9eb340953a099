package work

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"

	"tidepool/internal/git"
)

// A Worktree is the checkout that is worked in.
type Worktree struct {
	Name       string `json:"name"`        // of its directory
	Path       string `json:"path"`        // its top, absolute
	Branch     string `json:"branch"`      // "": a commit is checked out
	RepoRoot   string `json:"repo_root"`   // top of the repository's main checkout, absolute
	IsWorktree bool   `json:"is_worktree"` // a linked worktree, not the main checkout
}

// git asks git, which runs nothing that the repository's configuration names.
func (w *Work) git(ctx context.Context, args ...string) (string, error) {
	out, err := w.runner.run(ctx, "git", append(git.Harmless(), args...)...)
	return string(out), named(err, args)
}

// named gives a failure the words that the caller would use: without the settings in front.
func named(err error, args []string) error {
	if failure, is := err.(*ProgramError); is {
		failure.Args = args
	}
	return err
}

// A position is what the other sources need of git: cheap to ask, whatever the size of the checkout.
type position struct {
	worktree Worktree
	remote   Repository // the zero one: there is no remote on a server
}

// position asks git where the checkout is and what its branch is called.
func (w *Work) position(ctx context.Context) (position, error) {
	places, err := w.git(ctx, "rev-parse", "--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir")
	if err != nil {
		return position{}, err
	}
	lines := strings.Split(strings.TrimRight(places, "\n"), "\n")
	if len(lines) != 3 {
		return position{}, &ProgramError{Program: "git", Args: []string{"rev-parse"}, Err: errUnreadable(places)}
	}
	top, dir, common := lines[0], filepath.Clean(lines[1]), filepath.Clean(lines[2])
	p := position{worktree: Worktree{Name: filepath.Base(top), Path: top, RepoRoot: top, IsWorktree: dir != common}}
	if p.worktree.IsWorktree {
		p.worktree.RepoRoot = filepath.Dir(common)
	}
	if p.worktree.Branch, err = w.branchName(ctx); err != nil {
		return position{}, err
	}
	p.remote, err = w.remote(ctx, p.worktree.Branch)
	return p, err
}

// branchName returns the branch that is checked out, also one without a commit; "" if a commit is.
func (w *Work) branchName(ctx context.Context) (string, error) {
	name, err := w.git(ctx, "symbolic-ref", "--short", "--quiet", "HEAD")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return "", nil
	}
	return strings.TrimSpace(name), err
}

// remote returns the repository that a branch is pushed to: of its upstream, else origin, else the only one.
func (w *Work) remote(ctx context.Context, branch string) (Repository, error) {
	listed, err := w.git(ctx, "remote", "--verbose")
	if err != nil || listed == "" {
		return Repository{}, err
	}
	urls := map[string]string{}
	for line := range strings.Lines(listed) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if url, _, fetched := strings.Cut(rest, " (fetch)"); fetched { // of a partial clone, its filter follows
			urls[name] = url
		}
	}
	upstream := ""
	if branch != "" {
		if upstream, err = w.git(ctx, "for-each-ref", "--format=%(upstream:remotename)", "refs/heads/"+branch); err != nil {
			return Repository{}, err
		}
	}
	for _, name := range []string{strings.TrimSpace(upstream), "origin"} {
		if url, has := urls[name]; has {
			return parseRemote(url), nil
		}
	}
	if len(urls) == 1 {
		for _, url := range urls {
			return parseRemote(url), nil
		}
	}
	return Repository{}, nil
}

// dirt is what git status tells.
type dirt struct {
	branch Branch
	files  []DirtyFile
}

// dirt asks git which files have changed, and how the branch stands to its upstream.
func (w *Work) dirt(ctx context.Context) (dirt, error) {
	status, err := w.gitStatus(ctx, "status", "--porcelain=v2", "--branch", "-z")
	if err != nil {
		return dirt{}, err
	}
	var d dirt
	d.branch, d.files, err = parsePorcelain(status)
	return d, err
}
