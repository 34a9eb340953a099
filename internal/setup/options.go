package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"tidepool/internal/setup/client"
	"tidepool/internal/state"
)

// A Scope says for whom Claude Code is set up.
type Scope int

const (
	ScopeProject Scope = iota // whoever works in the project: its files may be committed
	ScopeLocal                // one person in one project: settings that are not committed
	ScopeUser                 // one person in all projects
)

// Options say what to set up, and where.
type Options struct {
	Scope   Scope
	Project string // absolute directory of the project; not needed for ScopeUser
	Agent   string // absolute path of the agent, as it is written into files that only the user has; not needed by Uninit
	Home    string // the user's home directory
	Path    string // the value of PATH by which Claude Code finds the agent that files of the project name
	PathOf  string // whose value that is; "": this terminal's
	// Client is the client that is set up; nil is Claude Code.
	Client *client.Client
	// Getenv reads the user's environment: where other clients keep their files, and PATH. nil: an empty one.
	Getenv func(string) string
	// ClaudeConfigDir is the value of CLAUDE_CONFIG_DIR; "" means .claude in Home.
	ClaudeConfigDir string
	// Config is what .tidepool/config.json gets if there is none; nil makes none.
	Config []byte
	// Scorer is an answer that config.json gets; nil leaves it as it is.
	Scorer *Scorer
	// MakeStateDir makes .tidepool, or checks the one that is there. Init needs it; for ScopeUser nil makes none.
	MakeStateDir func(dir string) error
	// Scrub has Claude Code run its commands by agent-shell, which takes secrets out of their output. Without it Init leaves that as it is.
	Scrub bool
	// Repository is the git repository around the project; nil: there is none.
	Repository *Repository
	// RepositoryError is why git cannot tell what it shows, so that Repository is nil.
	RepositoryError error
}

// A UsageError is the reason why Options cannot be used.
type UsageError struct{ problem, hint string }

func (e *UsageError) Error() string { return e.problem }

// Hint says what to do.
func (e *UsageError) Hint() string { return e.hint }

// A site is a file of Claude Code's that may hold entries of ours.
type site struct {
	kind   kind
	path   string
	backup string      // what the file held before there was anything of ours in it
	ours   string      // the backup, or the outermost directory around it that is made by us
	mode   fs.FileMode // of a file that is made anew
	agent  string      // what entries name: the absolute path, or the name alone in files that others get
}

func (o Options) stateDir() string { return state.Of(o.Project) }

// claudeDir returns where Claude Code keeps the settings of a user.
func (o Options) claudeDir() string {
	if o.ClaudeConfigDir != "" {
		return o.ClaudeConfigDir
	}
	return filepath.Join(o.Home, ".claude")
}

// claudeState returns the file in which Claude Code keeps the servers of a user, among much else. It is only read.
func (o Options) claudeState() string {
	if o.ClaudeConfigDir != "" {
		return filepath.Join(o.ClaudeConfigDir, ".claude.json")
	}
	return filepath.Join(o.Home, ".claude.json")
}

func (o Options) projectSite() site {
	return o.inProject(hooks{shared: true}, ".claude/settings.json", program)
}

func (o Options) localSite() site {
	return o.inProject(hooks{shell: o.Scrub}, ".claude/settings.local.json", o.Agent)
}

// serverSite is the file with the project's MCP server, which ScopeLocal has for one person alone.
func (o Options) serverSite() site {
	if o.Scope == ScopeLocal {
		return o.inProject(server{}, ".mcp.json", o.Agent)
	}
	return o.inProject(server{}, ".mcp.json", program)
}

func (o Options) inProject(k kind, name, agent string) site {
	backup := filepath.Join(o.stateDir(), "backup", filepath.Base(name))
	return site{k, filepath.Join(o.Project, name), backup, o.stateDir(), 0o644, agent}
}

func (o Options) userSite() site {
	path := filepath.Join(o.claudeDir(), "settings.json")
	backup := path + ".tidepool-backup"
	return site{hooks{shell: o.Scrub}, path, backup, backup, 0o600, o.Agent}
}

// checkPlace refuses a project that cannot be one.
func (o Options) checkPlace() error {
	if o.Client != nil && !filepath.IsAbs(o.Home) {
		return &UsageError{"the home directory is not known", "set HOME to an absolute path"}
	}
	if o.Scope == ScopeUser {
		if !filepath.IsAbs(o.claudeDir()) {
			return &UsageError{"Claude Code's directory is not known", "set HOME, or CLAUDE_CONFIG_DIR to an absolute path"}
		}
		return nil
	}
	info, err := os.Stat(o.Project)
	switch {
	case err != nil:
		return fmt.Errorf("looking at the project: %w", err)
	case !filepath.IsAbs(o.Project) || !info.IsDir():
		return &UsageError{o.Project + " is not the absolute path of a directory", "name the project's directory"}
	}
	if home, err := os.Stat(o.Home); err == nil && os.SameFile(info, home) {
		return &UsageError{"the home directory is not a project: its .claude holds the settings for all projects",
			"change to a project, or set up all of them with --user"}
	}
	return nil
}

// checkAgent refuses a program that Claude Code could not run, or Uninit not find again.
func (o Options) checkAgent() error {
	hint := "run the agent that is to be installed by its absolute path"
	switch {
	case !filepath.IsAbs(o.Agent):
		return &UsageError{fmt.Sprintf("%q is not an absolute path", o.Agent), hint}
	case filepath.Base(o.Agent) != program:
		return &UsageError{fmt.Sprintf("%s is not called %q, by which its entries are known", o.Agent, program), "rename it"}
	case strings.Contains(o.Agent, "${") || !utf8.ValidString(o.Agent):
		return &UsageError{fmt.Sprintf("%q cannot be written into Claude Code's files", o.Agent), "move the program"}
	case o.Client != nil && strings.ContainsAny(o.Agent, "${}`\\\n\r"): // they replace variables, each in a form of its own
		return &UsageError{fmt.Sprintf("%q cannot be written into the files of %s", o.Agent, o.Client.Title), "move the program"}
	}
	return runnable(o.Agent)
}

// runnable returns why a file cannot be run as a program.
func runnable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no %s", path)
	case err != nil:
		return err
	case !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0:
		return fmt.Errorf("%s is not a program", path)
	}
	return nil
}
