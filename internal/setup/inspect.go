package setup

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

// A Finding is one line of what Inspect sees.
type Finding struct {
	Name    string // "PATH"; "": it is about Claude Code's files
	What    string // "hooks in /home/u/p/.claude/settings.json"
	OK      bool
	Problem string // why not OK, "" if OK
	Fix     string // what to do about it, "" if OK
	Safe    bool   // Init mends it, with Scope
	Scope   Scope
}

func fine(format string, args ...any) Finding {
	return Finding{What: fmt.Sprintf(format, args...), OK: true}
}

// mend returns what a Finding says if Init mends it.
func (s Scope) mend(what, problem string) Finding {
	fix := "run `agent init" + map[Scope]string{ScopeLocal: " --local", ScopeUser: " --user"}[s] + "`"
	return Finding{What: what, Problem: problem, Fix: fix, Safe: true, Scope: s}
}

// An inspection collects what is true of a project as Claude Code sees it.
type inspection struct {
	Options
	findings []Finding
	commands map[protocol.Event][]string // the programs that run on each event
	plugin   bool                        // the plugin brings hooks and the server
	byName   bool                        // an entry names the agent without its path
	servers  int
}

// Inspect returns what is installed where, for the project and for the user, and what is wrong with it. Scope and Config
// are of no account.
func Inspect(o Options) []Finding {
	in := &inspection{Options: o, commands: map[protocol.Event][]string{}}
	in.settings(ScopeProject, o.projectSite().path)
	in.settings(ScopeLocal, o.localSite().path)
	in.settings(ScopeUser, o.userSite().path)
	in.servers = in.server(o.serverScope(), o.serverSite().path) + in.server(ScopeUser, o.claudeState())
	in.missing()
	in.twice()
	in.add(in.onPath(in.byName))
	return in.findings
}

// serverScope returns with which scope Init writes the project's server.
func (o Options) serverScope() Scope {
	if o.localSite().holds() && !o.projectSite().holds() {
		return ScopeLocal
	}
	return ScopeProject
}

func (in *inspection) add(f Finding) { in.findings = append(in.findings, f) }

// document reads a file of Claude Code's; nil if there is none, or none that can be read.
func (in *inspection) document(path string) *document {
	f, err := look(path)
	if err == nil && !f.exists() {
		return nil
	}
	var doc *document
	if err == nil {
		doc, err = parse(path, f.data)
	}
	if err != nil {
		in.add(broken(path, err))
		return nil
	}
	return doc
}

func broken(path string, err error) Finding {
	return Finding{What: path, Problem: err.Error(), Fix: cmp.Or(wording.HintOf(err), "make it readable")}
}

// settings looks at one settings file.
func (in *inspection) settings(scope Scope, path string) {
	doc := in.document(path)
	if doc == nil {
		return
	}
	in.switches(path, doc)
	in.prefix(scope, path, doc)
	found, err := findHooks(doc)
	if err != nil {
		in.add(broken(path, err))
		return
	}
	for _, h := range found {
		if h.astray() {
			in.add(scope.mend(fmt.Sprintf("%s in %s", h.event, path),
				fmt.Sprintf("the hook there is `agent hook %s`, so the daemon takes each %s for a %s", h.reports.Kebab(), h.event, h.reports)))
			continue
		}
		if !slices.Contains(in.commands[h.event], h.command()) {
			in.commands[h.event] = append(in.commands[h.event], h.command())
		}
		if h.event == protocol.WorktreeCreate {
			in.add(Finding{What: "WorktreeCreate in " + path, Fix: "remove it",
				Problem: "a hook there replaces git worktree: Claude Code expects it to make the worktree"})
		}
	}
	in.programs(scope, "hooks in "+path, path, found)
}

// switches looks for settings that turn hooks or servers off, or the plugin on.
func (in *inspection) switches(path string, doc *document) {
	top := doc.outermost()
	if off, err := top.find("disableAllHooks"); err == nil && off != nil && isTrue(*off) {
		in.add(Finding{What: "disableAllHooks in " + path, Problem: "no hook runs", Fix: "set it to false"})
	}
	if slices.Contains(top.strings("disabledMcpjsonServers"), serverName) {
		in.add(Finding{What: "disabledMcpjsonServers in " + path, Problem: "the server of .mcp.json was declined, so there are no tools",
			Fix: "run `claude mcp reset-project-choices`, and say yes the next time"})
	}
	in.plugins(path, top)
}

// languagePlugin is the name of the plugin that brings only language servers; it takes the programs of the other.
const languagePlugin = serverName + "-lsp"

// plugins looks whether our plugins are on, and whether they have their programs.
func (in *inspection) plugins(path string, top container) {
	all, err := top.objectIn("enabledPlugins")
	if all == nil || err != nil {
		return
	}
	for _, m := range all.object.Members {
		name, market, _ := strings.Cut(literal(m.Name), "@")
		if name != serverName && name != languagePlugin || !isTrue(m.Value) {
			continue
		}
		in.plugin = in.plugin || name == serverName
		what := "plugin " + literal(m.Name) + ", enabled in " + path
		if dir := directoryOf(market, top); dir == "" {
			in.add(fine("%s", what))
		} else if err := runnable(filepath.Join(dir, "bin", program)); err != nil {
			in.add(Finding{What: what, Problem: err.Error(), Fix: "run: " + in.copyPrograms(filepath.Join(dir, "bin"))})
		} else {
			in.add(fine("%s, from %s", what, dir))
		}
	}
}

// copyPrograms returns the command that copies both programs into a directory.
func (o Options) copyPrograms(dir string) string {
	agent := o.Agent
	if direct, err := filepath.EvalSymlinks(agent); err == nil {
		agent = direct // the other program lies there
	}
	return ShellLine([][]string{{"mkdir", "-p", dir}, {"cp", agent, filepath.Join(filepath.Dir(agent), "controlserver"), dir}})
}

// directoryOf returns where a marketplace is, if it is a directory on this machine, else "".
func directoryOf(market string, top container) string {
	at := &top
	for _, name := range []string{"extraKnownMarketplaces", market, "source"} {
		var err error
		if at, err = at.objectIn(name); at == nil || err != nil {
			return ""
		}
	}
	return at.text("path")
}

func isTrue(v hujson.Value) bool { return v.Value.Kind() == 't' }

// server looks at a file with servers, and returns how many of ours are in it.
func (in *inspection) server(scope Scope, path string) int {
	doc := in.document(path)
	if doc == nil {
		return 0
	}
	found, err := server{}.find(doc)
	if err != nil {
		in.add(broken(path, err))
		return 0
	}
	in.programs(scope, "MCP server in "+path, path, found)
	if scope == ScopeUser {
		local := in.localServer(doc.outermost())
		in.programs(scope, "MCP server for this project in "+path, path, local)
		found = append(found, local...)
	}
	return len(found)
}

// programs adds a finding for each program that entries of one file run.
func (in *inspection) programs(scope Scope, what, path string, found []entry) {
	var seen []string
	for _, e := range found {
		command := e.command()
		if slices.Contains(seen, command) {
			continue
		}
		seen = append(seen, command)
		if command == program {
			in.byName = true
			in.add(fine("%s: %s, by its name", what, command))
			continue
		}
		switch problem := in.wrong(command); {
		case problem == "" && in.isTracked(path):
			in.add(fine("%s: %s; who else gets the file may have it elsewhere: `agent init` writes the name alone", what, command))
		case problem == "":
			in.add(fine("%s: %s", what, command))
		case scope == ScopeUser && e.event == "":
			in.add(Finding{What: what, Problem: problem, Fix: "run `agent init --user`, and the commands that it prints"})
		default:
			in.add(scope.mend(what, problem))
		}
	}
}

// isTracked reports whether others get a file with the project.
func (in *inspection) isTracked(path string) bool {
	hidden, err := in.Repository.hides(path)
	return err == nil && !hidden
}

// wrong returns what is wrong with the program of an entry, "" if it is the one that is meant.
func (in *inspection) wrong(command string) string {
	if !filepath.IsAbs(command) {
		return "a relative path depends on the directory in which Claude Code runs"
	}
	if err := runnable(command); err != nil {
		return err.Error() + ", and Claude Code passes over that in silence"
	}
	if in.Agent == "" {
		return ""
	}
	if !isSame(command, in.Agent) {
		return "this is another program than " + in.Agent
	}
	return ""
}

// missing adds findings for what is installed nowhere.
func (in *inspection) missing() {
	if in.plugin {
		return
	}
	if len(in.commands) == 0 && in.servers == 0 && len(InspectClients(in.Options)) > 0 {
		in.add(fine("not set up here, as another client is"))
		return
	}
	var without []string
	for _, w := range wantedHooks() {
		if len(in.commands[w.event]) == 0 {
			without = append(without, string(w.event))
		}
	}
	scope := ScopeProject
	if holders := in.holders(); len(holders) > 0 {
		scope = holders[0].scope
	}
	switch {
	case len(without) == len(wantedHooks()):
		in.add(scope.mend("hooks", "none are installed"))
	case len(without) > 0:
		in.add(scope.mend("hooks", "none for "+strings.Join(without, ", ")))
	}
	switch {
	case in.servers > 0:
	case scope == ScopeUser:
		in.add(Finding{What: "MCP server", Problem: "not installed, so there are no tools", Fix: "run: " + ShellLine(in.ServerCommands())})
	default:
		in.add(scope.mend("MCP server", "not installed, so there are no tools"))
	}
}

// twice adds findings for hooks that run more than once. Claude Code runs equal hooks once, wherever they stand.
func (in *inspection) twice() {
	for _, w := range wantedHooks() {
		if commands := in.commands[w.event]; len(commands) > 1 {
			in.add(Finding{What: "hooks", Problem: "each event is told more than once, by " + strings.Join(commands, " and "),
				Fix: "run `agent uninit` where it is not wanted"})
			return
		}
	}
	if in.plugin && len(in.commands) > 0 {
		in.add(Finding{What: "hooks", Problem: "each event is told twice, by the plugin and by the settings",
			Fix: "run `agent uninit`, or uninstall the plugin"})
	}
}
