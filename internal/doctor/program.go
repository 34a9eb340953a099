package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"
)

// versionLimit is how long the agent may take to say its version.
const versionLimit = 5 * time.Second

// Program checks that the agent is there, and belongs to this program.
type Program struct {
	Agent   string // absolute path of the agent that is meant
	Version string // of this program; the agent says the same
	Commit  string // that this program was built from, as the agent was; "" if unknown
}

// again is the way to two programs that belong together.
const again = "install both programs again, into one directory: run install.sh of a release"

// Look finds the agent.
func (p Program) Look(ctx context.Context) []Finding {
	const name = "agent"
	if !isProgram(p.Agent) {
		return []Finding{problem(name, again, "there is no program %s", p.Agent)}
	}
	return []Finding{p.version(ctx)}
}

func (p Program) version(ctx context.Context) Finding {
	const name = "agent"
	ctx, cancel := context.WithTimeout(ctx, versionLimit)
	defer cancel()
	out, err := exec.CommandContext(ctx, p.Agent, "version").Output()
	said, ok := strings.CutPrefix(strings.TrimSpace(string(out)), "agent ")
	switch {
	case err != nil:
		return problem(name, again, "%s does not run: %v", p.Agent, err)
	case !ok:
		return problem(name, again, "%s is another program: it does not say its version", p.Agent)
	}
	version, commit := parseVersion(said)
	switch {
	case version != p.Version:
		return problem(name, again, "%s is version %s, but controlserver is version %s", p.Agent, version, p.Version)
	case commit != "" && p.Commit != "" && commit != p.Commit:
		return problem(name, again, "%s was built from commit %s, but controlserver from %s", p.Agent, commit, p.Commit)
	}
	return fine(name, "%s, version %s", p.Agent, version)
}

// parseVersion returns the version and the commit of the line that [protocol.DescribeBuild] makes, "" for a commit that is unknown.
func parseVersion(said string) (version, commit string) {
	version, rest, _ := strings.Cut(said, " (commit ")
	commit, _, _ = strings.Cut(rest, ",")
	if commit == "unknown" {
		commit = ""
	}
	return version, commit
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
