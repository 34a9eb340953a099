package setup

import (
	"slices"
	"time"

	"tidepool/protocol"
)

// program is the base name by which entries of ours are known.
const program = "agent"

// A group is one element of an event's list in Claude Code's settings.
type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}

// A handler is a hook in exec form, which Claude Code runs without a shell.
type handler struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Timeout int      `json:"timeout"`                 // seconds
	Status  string   `json:"statusMessage,omitempty"` // shown while it runs
}

// A wantedHook is an event for which Init installs a hook.
type wantedHook struct {
	event   protocol.Event
	matcher string
	status  string
}

// The matchers of hooks after tools: those that change files, and with them those whose output the daemon searches for secrets.
const (
	changers   = "Bash|Edit|Write|NotebookEdit"
	afterTools = "^(Bash|Edit|Write|NotebookEdit|Read|Grep|Glob|mcp__.*)$"
)

// wantedHooks lists the events that the daemon acts on, as .tidepool.example/settings.json shows it. A hook on WorktreeCreate would
// replace what Claude Code does then. The one on Elicitation waits for the person who answers in agent ui; its matcher
// fits the name of our MCP server in a project and in a plugin.
func wantedHooks() []wantedHook {
	return []wantedHook{
		{event: protocol.SessionStart},
		{event: protocol.InstructionsLoaded},
		{event: protocol.UserPromptSubmit},
		{event: protocol.PreToolUse},
		{event: protocol.PostToolUse, matcher: afterTools},
		{event: protocol.PostToolUseFailure, matcher: changers},
		{event: protocol.FileChanged, matcher: "go.mod|go.sum|go.work"},
		{event: protocol.CwdChanged},
		{event: protocol.Stop},
		{event: protocol.SubagentStop},
		{event: protocol.PreCompact},
		{event: protocol.Elicitation, matcher: "tidepool.*", status: "a question may wait in agent ui"},
		{event: protocol.SessionEnd},
	}
}

func (w wantedHook) group(agent string) group {
	timeout := int(protocol.TimeOf(w.event).Timeout / time.Second)
	args := []string{"hook", w.event.Kebab()}
	return group{w.matcher, []handler{{"command", agent, args, timeout, w.status}}}
}

// A kind is what sort of entries a file holds.
type kind interface {
	// find returns the entries that are ours, in the order of the file.
	find(*document) ([]entry, error)
	// put makes all entries name agent, and adds those that are missing.
	put(d *document, agent string) error
}

// hooks are the entries of a settings file.
type hooks struct {
	shell  bool // put adds the program that runs shell lines
	shared bool // whoever clones the project has the file: put removes that program, without which no command would run there
}

func (k hooks) put(d *document, agent string) error {
	found, err := k.settle(d)
	if err != nil {
		return err
	}
	have := map[protocol.Event]bool{}
	for _, h := range found {
		have[h.event] = true
		h.setCommand(agent)
		if h.event == protocol.PostToolUse {
			h.updateMatcher(changers, afterTools)
		}
	}
	if prefix := findPrefix(d); prefix != nil || k.shell {
		if err := (shellPrefix{}).put(d, agent); err != nil {
			return err
		}
	}
	for _, w := range wantedHooks() {
		if have[w.event] {
			continue
		}
		all, err := d.outermost().ensureObject("hooks")
		if err != nil {
			return err
		}
		groups, err := all.ensureArray(string(w.event))
		if err != nil {
			return err
		}
		groups.add("", w.group(agent))
	}
	return nil
}

// settle removes entries of ours that do not belong into the file, and returns the hooks that do.
func (k hooks) settle(d *document) ([]entry, error) {
	all, err := k.find(d)
	if err != nil {
		return nil, err
	}
	removeAll(slices.DeleteFunc(all, func(e entry) bool { return !e.astray() && !(e.prefix && k.shared) }))
	return findHooks(d) // their places have changed
}

// find returns the hooks that are ours, and the program that runs shell lines, in the order of the file.
func (hooks) find(d *document) ([]entry, error) {
	found, err := findHooks(d)
	if err != nil {
		return nil, err
	}
	prefix := findPrefix(d)
	if prefix == nil {
		return found, nil
	}
	if len(found) > 0 && prefix.path[0].at < found[0].path[0].at {
		return append([]entry{*prefix}, found...), nil
	}
	return append(found, *prefix), nil
}
