package protocol

import (
	"os"
	"path/filepath"
)

// StateDir is the directory below a project that holds all of tidepool's state.
const StateDir = ".tidepool"

// SocketName is the daemon's socket inside [StateDir].
const SocketName = "control.sock"

// A Place is where a project and its daemon's socket are, both absolute.
type Place struct {
	Project string // the directory the daemon serves
	Socket  string // may not exist
	Managed bool   // the project has a StateDir, or the environment names the place
}

// Locate finds the project and the socket, for both programs alike:
//
//  1. $TIDEPOOL_CONTROL_SOCKET is the socket; the project is found as below.
//  2. $TIDEPOOL_PROJECT_DIR is the project.
//  3. The nearest ancestor of $CLAUDE_PROJECT_DIR, or else of cwd, that has a
//     StateDir is the project.
//  4. Else it is $CLAUDE_PROJECT_DIR or cwd, and the place is not Managed.
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

func locateProject(getenv func(string) string, cwd string) Place {
	if dir := getenv("TIDEPOOL_PROJECT_DIR"); dir != "" {
		return Place{Project: absolute(dir, cwd), Managed: true}
	}
	start := cwd
	if dir := getenv("CLAUDE_PROJECT_DIR"); dir != "" {
		start = absolute(dir, cwd)
	}
	for _, from := range []string{start, cwd} {
		if project, ok := ancestorWithState(from); ok {
			return Place{Project: project, Managed: true}
		}
	}
	return Place{Project: filepath.Clean(start)}
}

func ancestorWithState(dir string) (string, bool) {
	dir = filepath.Clean(dir)
	for {
		if info, err := os.Stat(filepath.Join(dir, StateDir)); err == nil && info.IsDir() {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

func absolute(path, cwd string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(cwd, path)
}
