package sandbox

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// maxWorktrees bounds how many linked worktrees of a repository can be written to. Those beyond stay read-only.
const maxWorktrees = 200

// isClaudeWorktree reports whether a repository is a worktree that Claude Code made for a session or a subagent. It can be written to like the
// project, although it lies in .claude: its own .git, .claude and the like are protected, as in every repository.
func isClaudeWorktree(top string) bool {
	return strings.HasSuffix(filepath.Dir(top), "/.claude/worktrees")
}

// linked opens the administrative directories of those linked worktrees that lie in the project: a commit changes HEAD, index and logs there. What
// makes git look elsewhere or run something stays protected in each: gitdir, commondir, config.worktree, hooks. The directories of
// worktrees elsewhere stay read-only, and so does a link in the place of one.
func (i *inventory) linked(worktrees string) {
	info, err := os.Lstat(worktrees)
	if err != nil || !info.IsDir() {
		return
	}
	entries, _ := os.ReadDir(worktrees) // those that cannot be listed stay protected
	for _, e := range entries[:min(len(entries), maxWorktrees)] {
		dir := filepath.Join(worktrees, e.Name())
		if e.IsDir() && slices.Contains(i.survey.repositories, worktreeOf(dir)) {
			i.gitNames(dir)
			i.opened = append(i.opened, dir)
		}
	}
}

// maxGitdir bounds a gitdir file, in bytes.
const maxGitdir = 4096

// worktreeOf returns the worktree that an administrative directory belongs to, from its gitdir file; "" if that names none.
func worktreeOf(dir string) string {
	file, err := os.OpenFile(filepath.Join(dir, "gitdir"), os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(file, maxGitdir))
	if err != nil || len(text) == 0 {
		return ""
	}
	path := strings.TrimRight(string(text), "\n")
	if !filepath.IsAbs(path) { // as worktree.useRelativePaths has it
		path = filepath.Join(dir, path)
	}
	top, err := resolve(filepath.Dir(path))
	if err != nil {
		return ""
	}
	return top
}

// closeBelow takes away what was opened at a path and below, since a setting protects or hides that.
func (i *inventory) closeBelow(path string) {
	real, err := resolve(path)
	i.opened = slices.DeleteFunc(i.opened, func(dir string) bool {
		return within(dir, path) || err == nil && within(dir, real)
	})
}
