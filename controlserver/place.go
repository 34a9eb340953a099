package main

import (
	"fmt"
	"os"
	"path/filepath"

	"tidepool/controlserver/internal/initialize"
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

// locateRoot returns the project that is to be set up: where nobody names one and there is none yet, the repository around the
// current directory. A repository that is the whole home directory is not meant.
func locateRoot(project string) (initialize.Root, error) {
	place, err := locate(project)
	if err != nil || project != "" || place.Managed {
		return initialize.Root{Place: place}, err
	}
	top := repositoryAround(place.Project)
	home, _ := filepath.EvalSymlinks(os.Getenv("HOME"))
	if top == "" || top == place.Project || top == home {
		return initialize.Root{Place: place}, nil
	}
	root, err := locate(top)
	return initialize.Root{Place: root, Below: place.Project}, err
}

// repositoryAround returns the nearest directory from dir upwards that has a .git, "" if none has.
func repositoryAround(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}
