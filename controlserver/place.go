package main

import (
	"fmt"
	"os"
	"path/filepath"

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
