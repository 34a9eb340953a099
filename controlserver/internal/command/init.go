package command

import (
	"fmt"
	"os"
	"path/filepath"

	"tidepool/internal/config"
	"tidepool/internal/setup"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// Init sets a project up for Claude Code.
type Init struct {
	setupFlags
	Scrub bool `help:"Take secrets out of what the commands of Claude Code's Bash show, those that fail included: they run by agent-shell."`
}

// A Root is the project that is to be set up.
type Root struct {
	protocol.Place
	Below string // the directory in it that was meant first; "": the project itself was
}

// Run puts hooks and the MCP server into Claude Code's files, and makes the project's .tidepool.
func (c *Init) Run(root Root, std Stdio) error {
	place := root.Place
	options, err := c.options(place)
	if err != nil {
		return err
	}
	options.Scrub = c.Scrub
	options.Config = config.Defaults().File()
	options.MakeStateDir = state.Ensure
	plan, err := setup.Init(options)
	if err != nil {
		return err
	}
	if root.Below != "" && !c.User {
		plan.Notes = append(plan.Notes, fmt.Sprintf("this sets up %s, the repository around %s; --project . sets up that directory alone", place.Project, root.Below))
	}
	t := &task{plan: plan, done: "set up: agent doctor tells whether all is well"}
	if !c.User {
		t.trust(place)
	}
	return c.carryOut(t, std)
}

// agentPath returns where the agent that was installed with this program is. Where PATH leads to the same file that path is
// taken: a link there outlives the version that it points to.
func agentPath(path string) (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("finding this program: %w", err)
	}
	beside := filepath.Join(filepath.Dir(self), "agent")
	meant, err := os.Stat(beside)
	if err != nil {
		return beside, nil // who needs it says that it is missing
	}
	for _, dir := range filepath.SplitList(path) {
		found := filepath.Join(dir, "agent")
		if info, err := os.Stat(found); err == nil && filepath.IsAbs(dir) && os.SameFile(info, meant) {
			return found, nil
		}
	}
	return beside, nil
}
