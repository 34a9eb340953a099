package protocol

import (
	"os"
	"path/filepath"
	"strings"
)

// StateDir is the directory below a project that holds all of tidepool's state.
const StateDir = ".tidepool"

// SocketName is the daemon's socket inside [StateDir].
const SocketName = "control.sock"

// A Place is the location of a project and of its daemon's socket, both absolute.
type Place struct {
	Project string // the directory the daemon serves
	Socket  string // may not exist
	Managed bool   // the project has a StateDir, or the environment names the place
}

// Locate finds the project and the socket. Both programs use it:
//
//  1. $TIDEPOOL_CONTROL_SOCKET is the socket; the project is found as below.
//  2. $TIDEPOOL_PROJECT_DIR is the project.
//  3. The nearest ancestor of $CLAUDE_PROJECT_DIR, or else of cwd, that has a
//     StateDir is the project.
//  4. Else it is $CLAUDE_PROJECT_DIR or cwd, and the place is not Managed.
//
// All worktrees of a git repository share one daemon. In a linked worktree the
// StateDir of the same directory in the main checkout counts, if there is one.
//
// Empty variables count as unset, relative ones are relative to cwd.
func Locate(getenv func(string) string, cwd string) Place {
	place := locateProject(getenv, cwd)
	place.Socket = filepath.Join(place.Project, StateDir, SocketName)
	if socket := getenv("TIDEPOOL_CONTROL_SOCKET"); socket != "" {
		place.Socket = absolute(socket, cwd)
		place.Managed = true
	}
	return place
}

// locateProject finds the project, without the socket.
func locateProject(getenv func(string) string, cwd string) Place {
	if dir := getenv("TIDEPOOL_PROJECT_DIR"); dir != "" {
		return Place{Project: absolute(dir, cwd), Managed: true}
	}
	start := cwd
	if dir := getenv("CLAUDE_PROJECT_DIR"); dir != "" {
		start = absolute(dir, cwd)
	}
	for _, from := range []string{start, cwd} {
		if project, ok := projectAround(from); ok {
			return Place{Project: project, Managed: true}
		}
	}
	return Place{Project: filepath.Clean(start)}
}

// projectAround returns the nearest ancestor of dir with a StateDir, or that of
// the same directory in the main checkout.
func projectAround(dir string) (string, bool) {
	found, ok := ancestorWithState(dir)
	if !ok {
		return inMainCheckout(filepath.Clean(dir))
	}
	if main := mainCheckout(found); main != "" && hasState(main) {
		return main, true
	}
	return found, true
}

// inMainCheckout returns projectAround of the main checkout's directory that
// corresponds to dir in a linked worktree.
func inMainCheckout(dir string) (string, bool) {
	for top := dir; ; top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			main := mainCheckout(top)
			below, err := filepath.Rel(top, dir)
			if main == "" || err != nil {
				return "", false
			}
			return ancestorWithState(filepath.Join(main, below))
		}
		if top == filepath.Dir(top) {
			return "", false
		}
	}
}

// mainCheckout returns the main checkout of the linked worktree top, or "" if top
// is no linked worktree. The .git of one is a file that names
// …/.git/worktrees/<name>.
func mainCheckout(top string) string {
	git := filepath.Join(top, ".git")
	if info, err := os.Lstat(git); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, err := os.ReadFile(git)
	private, is := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
	if err != nil || !is {
		return ""
	}
	worktrees := filepath.Dir(absolute(private, top))
	common := filepath.Dir(worktrees)
	if filepath.Base(worktrees) != "worktrees" || filepath.Base(common) != ".git" {
		return ""
	}
	return filepath.Dir(common)
}

// hasState reports whether dir contains a StateDir. It neither refuses a link nor
// checks the owner: whoever opens the directory does.
func hasState(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, StateDir))
	return err == nil && info.IsDir()
}

// ancestorWithState returns the nearest directory with a StateDir, dir or one above it.
func ancestorWithState(dir string) (string, bool) {
	dir = filepath.Clean(dir)
	for {
		if hasState(dir) {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// absolute returns path as an absolute path, relative to cwd.
func absolute(path, cwd string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(cwd, path)
}
