package setup

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/tailscale/hujson"
)

// prefixName is the variable that names the program which Claude Code starts in the place of a shell. Claude Code takes its settings'
// member env for the environment.
const prefixName = "CLAUDE_CODE_SHELL_PREFIX"

// shellName is the base name by which an entry of ours is known there: a link to the agent. A name with an argument, such as "agent
// shell", would be taken for the name of one program.
const shellName = "agent-shell"

// shellBeside returns the path of the link that belongs to an agent.
func shellBeside(agent string) string { return filepath.Join(filepath.Dir(agent), shellName) }

// checkShell refuses a link that is missing or leads elsewhere.
func (o Options) checkShell() error {
	if !o.Scrub {
		return nil
	}
	path := shellBeside(o.Agent)
	is, err := os.Stat(path)
	if err != nil {
		return &UsageError{"there is no " + path + ", which Claude Code would start instead of a shell", "make it: ln -s agent " + quote(path)}
	}
	if agent, err := os.Stat(o.Agent); err != nil || !os.SameFile(is, agent) {
		return &UsageError{path + " is another program than " + o.Agent, "make it a link: ln -sf agent " + quote(path)}
	}
	return nil
}

// shellPrefix is the program that runs shell lines alone, without the hooks that may stand beside it.
type shellPrefix struct{}

func (shellPrefix) find(d *document) ([]entry, error) {
	if found := findPrefix(d); found != nil {
		return []entry{*found}, nil
	}
	return nil, nil
}

func (shellPrefix) put(d *document, agent string) error {
	if found := findPrefix(d); found != nil {
		found.setPrefix(agent)
		return nil
	}
	return putPrefix(d, agent)
}

// hasShell reports whether the project's settings, or the user's own there, have the program already.
func (o Options) hasShell() bool {
	shared, local := o.projectSite(), o.localSite()
	shared.kind, local.kind = shellPrefix{}, shellPrefix{}
	return o.Scope == ScopeProject && (shared.holds() || local.holds())
}

// findPrefix returns the entry that is ours, or nil. An environment of an unknown shape has none.
func findPrefix(d *document) *entry {
	env, err := d.outermost().objectIn("env")
	if env == nil || err != nil {
		return nil
	}
	value, err := env.find(prefixName)
	if value == nil || err != nil || filepath.Base(literal(*value)) != shellName {
		return nil
	}
	path := []place{{d.outermost(), d.outermost().index("env")}, {*env, env.index(prefixName)}}
	return &entry{self: *env, path: path, prefix: true}
}

// putPrefix adds the entry. Another program there is somebody's own.
func putPrefix(d *document, agent string) error {
	env, err := d.outermost().ensureObject("env")
	if err != nil {
		return err
	}
	foreign, err := env.find(prefixName)
	if err != nil {
		return err
	}
	if foreign != nil {
		taken := d.errorAt(foreign.StartOffset, prefixName+" names another program already")
		taken.hint = "remove it, or leave --scrub out"
		return taken
	}
	env.add(prefixName, shellBeside(agent))
	return nil
}

// setPrefix changes the path of the entry and leaves it as it is written if it is the same.
func (e entry) setPrefix(agent string) {
	value, _ := e.self.find(prefixName)
	if literal(*value) != shellBeside(agent) {
		value.Value = hujson.String(shellBeside(agent))
	}
}

// prefix looks at the program of CLAUDE_CODE_SHELL_PREFIX, and at Claude Code's own sandbox.
func (in *inspection) prefix(scope Scope, path string, doc *document) {
	found := findPrefix(doc)
	sandbox := isSandboxed(doc)
	switch {
	case found == nil && sandbox:
		in.add(fine("sandbox.enabled in %s: Claude Code confines the commands of its Bash; tidepool confines those of safe_bash, and "+
			"takes secrets out of what both show, but for commands of Bash that fail", path))
	case found == nil:
	case scope == ScopeProject:
		in.add(scope.mend(prefixName+" in "+path, "whoever gets this file with the project and has no tidepool can run no command; it belongs into settings.local.json"))
	case sandbox:
		in.add(Finding{What: prefixName + " in " + path, Fix: "switch one of them off: `agent uninit --scrub`, or sandbox.enabled",
			Problem: "Claude Code's sandbox (sandbox.enabled) confines agent-shell as well, and the daemon serves nobody who is confined: " +
				"the output of commands is not searched for secrets"})
	default:
		what := fmt.Sprintf("%s in %s", prefixName, path)
		value, _ := found.self.find(prefixName)
		if problem := in.wrong(literal(*value)); problem != "" {
			in.add(Finding{What: what, Problem: problem + ", so no command of Claude Code runs", Fix: "run `agent init --scrub`, or `agent uninit`", Scope: scope})
			return
		}
		in.add(fine("%s: secrets are taken out of what commands show", what))
	}
}

// isSandboxed reports whether a file switches Claude Code's own sandbox on.
func isSandboxed(doc *document) bool {
	sandbox, err := doc.outermost().objectIn("sandbox")
	if sandbox == nil || err != nil {
		return false
	}
	enabled, err := sandbox.find("enabled")
	return err == nil && enabled != nil && isTrue(*enabled)
}
