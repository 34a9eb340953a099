package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"tidepool/internal/state"
	"tidepool/protocol"
)

// locate finds the project and its socket, the way the agent does; project is what the command line says, "" if
// nothing. Symbolic links in the project's path are resolved: Claude Code and the language servers name files so.
func locate(project string) (protocol.Place, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return protocol.Place{}, fmt.Errorf("finding the project: %w", err)
	}
	place := protocol.Locate(func(name string) string {
		if name == "TIDEPOOL_PROJECT_DIR" && project != "" {
			return project
		}
		return os.Getenv(name)
	}, cwd)
	resolved, err := filepath.EvalSymlinks(place.Project)
	if err != nil {
		return protocol.Place{}, fmt.Errorf("finding the project: %w", err)
	}
	place.Project = resolved
	return place, nil
}

// stateDir is where a daemon of that place keeps its files.
func stateDir(place protocol.Place) string { return state.Of(place.Project) }

// ledgerPath is where a daemon of that place keeps which language servers it has started; "" on Linux, where they end
// with it, however it ends.
func ledgerPath(place protocol.Place) string {
	if runtime.GOOS == "linux" {
		return ""
	}
	return filepath.Join(stateDir(place), "servers.json")
}

// logPath is the log file of a daemon of that place.
func logPath(place protocol.Place) string {
	return filepath.Join(stateDir(place), "logs", "controlserver.log")
}
