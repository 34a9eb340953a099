package disk

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Which directories are walked. A stale answer is worse than a slower walk, and sources that a generator makes are
// often ignored by git and compiled all the same. So what git ignores is walked, except where its name too says that
// a tool has put it there:
//
//   - Never: hidden directories, and those of packages of other people (skipped); the ones that a tool has marked as a
//     cache or a virtual environment, and linked worktrees of a repository, which are trees of their own (foreign).
//     Submodules are walked. Of the go command's vendor directory only the list of what it holds is followed (flat).
//   - Directories with the name of an output that git ignores, with nothing in them under version
//     control: copies of sources that no server reads would make answers partial. Only a few levels are walked, for
//     manifests and for the files of servers that load whatever lies in the tree. One that holds a compilation database
//     is an ordinary one: compilers are told to look there.
//
// Git is asked about directories with these names only, when they turn up.

// outputDepth is how many levels of an output directory are walked.
const outputDepth = 3

// VendorList is the file of the go command's vendor directory that says what is in it.
const VendorList = "modules.txt"

// outputTime bounds one question to git. Without an answer nothing is ignored.
const outputTime = 2 * time.Second

// skipped says of a directory by its name whether it holds nothing that people edit as part of the project.
func skipped(name string) bool {
	switch name {
	case "node_modules", "bower_components", "__pycache__", "site-packages", "dist-newstyle":
		return true
	}
	return strings.HasPrefix(name, ".")
}

// outputName reports whether tools use to put there what they make.
func outputName(name string) bool {
	switch name {
	case "dist", "build", "_build", "out", "output", "target", "bin", "obj", "coverage", "htmlcov":
		return true
	}
	return strings.HasPrefix(name, "cmake-build-") || strings.HasPrefix(name, "bazel-")
}

// survey learns from what a folder holds whose it is, and returns the suffixes of the names to follow in it.
func (d *Disk) survey(f *folder, entries []fs.DirEntry) []string {
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	}
	if has(".git") {
		f.repo = f.path
	}
	if f.parent != nil {
		f.flat = filepath.Base(f.path) == "vendor" && has(VendorList)
		f.foreign = has("pyvenv.cfg") || has("CACHEDIR.TAG") || has(".git") && linkedWorktree(f.path)
	}
	if has("compile_commands.json") {
		f.output = 0
	}
	if f.output > 0 {
		return d.selected.Built
	}
	return d.selected.Suffixes
}

// deeper returns the output level of what is in a directory of that level.
func deeper(output int) int {
	if output == 0 {
		return 0
	}
	return output + 1
}

// linkedWorktree reports whether a directory is a worktree of a repository elsewhere: not the primary one, and no
// submodule.
func linkedWorktree(dir string) bool {
	link, err := os.ReadFile(filepath.Join(dir, ".git"))
	return err == nil && filepath.Base(filepath.Dir(strings.TrimSpace(string(link)))) == "worktrees"
}

// repository returns the directory of the repository that dir is in, "" if it is in none.
func repository(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// findOutputs marks the new ones of these folders that are output directories.
func (d *Disk) findOutputs(folders []*folder) {
	suspects := map[string][]*folder{}
	for _, f := range folders {
		if !f.stamp.seen && f.output == 0 && f.repo != "" && outputName(filepath.Base(f.path)) {
			suspects[f.repo] = append(suspects[f.repo], f)
		}
	}
	for repo, suspects := range suspects {
		ignored := ignoredBelow(repo, suspects)
		for _, f := range suspects {
			if ignored[f.path] {
				f.output = 1
			}
		}
	}
}

// ignoredBelow asks git which of these folders are ignored whole. It runs nothing that the repository's configuration
// names.
func ignoredBelow(repo string, folders []*folder) map[string]bool {
	ctx, cancel := context.WithTimeout(context.Background(), outputTime)
	defer cancel()
	args := []string{"-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit", "--no-optional-locks", "--literal-pathspecs",
		"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--"}
	for _, f := range folders {
		args = append(args, f.path)
	}
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = repo
	cmd.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "GIT_") })
	out, err := cmd.Output()
	if err != nil {
		return nil // no git, or none of its repositories after all
	}
	ignored := map[string]bool{}
	for name := range strings.SplitSeq(string(out), "\x00") {
		if dir, whole := strings.CutSuffix(name, "/"); whole {
			ignored[filepath.Join(repo, dir)] = true
		}
	}
	return ignored
}
