// Package usage is the table of agent's commands: what `agent help` prints, and what completions and the manual page of agent are made of.
//
// It is a package of its own because two programs read it: agent, which imports little, and controlserver, which writes the
// completions and the manual page.
package usage

import (
	"fmt"
	"strings"
)

// A Command is a line of `agent help`: one command, or several that belong together.
type Command struct {
	Names     []string
	Arguments string // what follows the name, as the help shows it
	Help      string
	Values    []string // what its first argument may be; nil: anything
	Flags     []Flag   // of a command that agent runs itself
	Server    bool     // controlserver runs it, and describes its flags
}

// A Flag is a flag of a command that agent runs itself.
type Flag struct {
	Name        string // without hyphens
	Placeholder string // of its value; "": it takes none
	Values      []string
	Help        string
}

// Commands returns the commands in the order of the help. events are the hook events, as the command line names them.
func Commands(events ...string) []Command {
	own := []Command{
		{Names: []string{"hook"}, Arguments: "<event> [--runtime claude|codex|cursor|gemini]", Values: events,
			Help:  "send the hook event on stdin to the daemon and print its answer",
			Flags: []Flag{{Name: "runtime", Placeholder: "RUNTIME", Values: []string{"claude", "codex", "cursor", "gemini"}, Help: "the client that sends the event; claude if not given"}}},
		{Names: []string{"mcp"}, Help: "serve the daemon's tools to an MCP client on stdin and stdout"},
		{Names: []string{"lsp"}, Arguments: "<language>", Help: "connect stdin and stdout to the daemon's language server"},
		{Names: []string{"shell"}, Arguments: "LINE", Help: "run a shell line and take the secrets out of its output; see init --scrub"},
		{Names: []string{"health"}, Arguments: "[--ready] [--timeout DURATION]",
			Help: "check whether the daemon answers; --ready waits for language servers",
			Flags: []Flag{
				{Name: "ready", Help: "wait until the language servers are ready"},
				{Name: "timeout", Placeholder: "DURATION", Help: "how long to wait, such as 5s"},
			}},
	}
	return append(append(own, serverCommands()...), Command{Names: []string{"help", "version"}, Help: "print this, or the version"})
}

func serverCommands() []Command {
	return []Command{
		{Server: true, Names: []string{"init", "uninit"}, Help: "set a project up for Claude Code, or undo it"},
		{Server: true, Names: []string{"trust"}, Arguments: "[--remove|--list]", Help: "allow what the project brings along to run"},
		{Server: true, Names: []string{"status", "doctor", "logs", "policy"}, Help: "show the daemon's state, what is wrong, its log, its policy rules"},
		{Server: true, Names: []string{"config"}, Help: "show each setting in effect, and where it comes from"},
		{Server: true, Names: []string{"stop"}, Help: "end the daemon; the next session starts it again"},
		{Server: true, Names: []string{"audit"}, Arguments: "[verify]", Help: "show what the safe tools did; check that nobody has changed it"},
		{Server: true, Names: []string{"ui"}, Help: "show the open questions and what the daemon does"},
		{Server: true, Names: []string{"url"}, Arguments: "[--mcp|--headers]", Help: "print the URL of the daemon's loopback port, with its token"},
		{Server: true, Names: []string{"search"}, Arguments: "WORDS", Help: "find what was said in old conversations"},
		{Server: true, Names: []string{"conversations"}, Help: "find, read, resume, export and forget them"},
		{Server: true, Names: []string{"memory"}, Help: "find, save, show and forget what is remembered; why says what a prompt is told"},
		{Server: true, Names: []string{"questions", "answer"}, Help: "list the open questions; answer one"},
		{Server: true, Names: []string{"tools"}, Arguments: "[<tool>]", Help: "list the tools that a model has; describe one"},
		{Server: true, Names: []string{"call"}, Arguments: "[<tool> [ARGUMENTS]]", Help: "call a tool of the daemon; without one, list all"},
		{Server: true, Names: []string{"scout"}, Arguments: "WORDS [--mermaid]", Help: "ask what a change breaks; draw it"},
		{Server: true, Names: []string{"completion"}, Arguments: "bash|zsh|fish", Help: "print the completion of this command line for a shell"},
		{Server: true, Names: []string{"upgrade"}, Arguments: "FILE|URL", Help: "replace both programs by those of a release"},
	}
}

// Names returns the names of the commands that match.
func Names(match func(Command) bool) []string {
	var names []string
	for _, c := range Commands() {
		if match(c) {
			names = append(names, c.Names...)
		}
	}
	return names
}

// Text returns what `agent help` prints.
func Text() string {
	var b strings.Builder
	b.WriteString("Usage: agent <command>\n\nCommands:\n")
	for _, c := range Commands() {
		name := strings.TrimSpace(strings.Join(c.Names, ", ") + " " + c.Arguments)
		fmt.Fprintf(&b, "  %-40s %s\n", name, c.Help)
	}
	for _, paragraph := range Details() {
		b.WriteString("\n" + paragraph + "\n")
	}
	return b.String()
}

// Details returns the paragraphs below the commands.
func Details() []string {
	return []string{
		`controlserver runs the commands from init to upgrade: agent status --help shows the flags of status.`,

		`The daemon is found through $TIDEPOOL_CONTROL_SOCKET, else in .tidepool of $TIDEPOOL_PROJECT_DIR, of
$CLAUDE_PROJECT_DIR or of the working directory, the latter two with their parent directories.
If the project has a .tidepool and no daemon, hook session-start, hook user-prompt-submit, mcp and lsp start the
controlserver beside this program; TIDEPOOL_AUTOSTART=0 switches that off.
With TIDEPOOL_FAIL_MODE=closed a hook without an answer refuses; by default it passes.
With TIDEPOOL_RECALL=0 nothing of the session is remembered, and nothing is recalled in it.
TIDEPOOL_HOOK_TIMEOUT=3s limits a hook; the default is 6s, and 0.8s at the end of a session.`,

		`Exit status: 0 fine, 1 failed, 2 wrong command line. A hook exits as the daemon says.`,
	}
}
