package policywatch

import (
	"path/filepath"
	"strings"

	"tidepool/internal/policy"
	"tidepool/internal/policyfile"
	"tidepool/internal/state"
)

// Organisation is the directory of an organisation's policies.
const Organisation = "/etc/tidepool/policy"

// Dirs returns the directories of policies that count for a project, the highest level first. named are those of policy.dirs; lookup reads
// the environment.
func Dirs(project string, named []string, lookup func(name string) string) []policyfile.Dir {
	dirs := []policyfile.Dir{{Level: policy.Organisation, Path: Organisation, Optional: true}}
	home, config := lookup("HOME"), lookup("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) && filepath.IsAbs(home) { // by the specification a relative path is invalid
		config = filepath.Join(home, ".config")
	}
	if filepath.IsAbs(config) {
		dirs = append(dirs, policyfile.Dir{Level: policy.Team, Path: filepath.Join(config, "tidepool", "policy"), Optional: true})
	}
	for _, path := range named {
		if below, atHome := strings.CutPrefix(path, "~/"); atHome {
			path = filepath.Join(home, below)
		}
		dirs = append(dirs, policyfile.Dir{Level: policy.Team, Path: filepath.Clean(path)})
	}
	return append(dirs, policyfile.Dir{Level: policy.Project, Path: filepath.Join(state.Of(project), "policy"), Optional: true})
}
