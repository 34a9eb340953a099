package setup

import "tidepool/internal/setup/client"

// A ClientFinding is one line of what InspectClients sees of a client other than Claude Code.
type ClientFinding struct {
	Client string // as it calls itself: "Codex"
	Finding
}

// InspectClients returns what of ours stands in the files of other clients, and what is wrong with it. A client without
// entries of ours is no finding.
func InspectClients(o Options) (all []ClientFinding) {
	for _, c := range client.All() {
		for _, scope := range []Scope{ScopeProject, ScopeUser} {
			o.Scope = scope
			for _, s := range o.clientSites(c) {
				for _, f := range o.inspectClient(c, s) {
					all = append(all, ClientFinding{c.Title, f})
				}
			}
		}
	}
	return all
}

// inspectClient looks at one file.
func (o Options) inspectClient(c client.Client, s clientSite) []Finding {
	f, err := o.lookPlain(s.path)
	if err == nil && !f.exists() {
		return nil
	}
	var found []client.Entry
	if err == nil {
		found, err = s.find(f)
	}
	if err != nil {
		return []Finding{broken(s.path, err)}
	}
	var all []Finding
	seen := map[string]bool{}
	for _, e := range found {
		what := e.What + " in " + s.path
		if e.Off != "" {
			all = append(all, Finding{What: what, Problem: "it is switched off there: " + e.Off, Fix: "remove that"})
			continue
		}
		if seen[e.What+e.Command] {
			continue
		}
		seen[e.What+e.Command] = true
		if problem := o.wrongProgram(e.Command); problem != "" {
			all = append(all, o.Scope.mendClient(c, what, problem))
			continue
		}
		all = append(all, fine("%s: %s", what, e.Command))
	}
	return all
}

// wrongProgram returns what is wrong with the program of an entry, "" if it is the one that is meant.
func (o Options) wrongProgram(command string) string {
	path := o.programAt(command)
	if path == command && command == program {
		return "no " + program + " is on PATH"
	}
	if err := runnable(path); err != nil {
		return err.Error()
	}
	if o.Agent != "" && !o.leadsToAgent(command) {
		return path + " is another program than " + o.Agent
	}
	return ""
}

// mendClient is mend for another client.
func (s Scope) mendClient(c client.Client, what, problem string) Finding {
	return Finding{What: what, Problem: problem, Fix: "run `agent init --client " + c.Name + s.flag() + "`", Safe: true, Scope: s}
}

// flag returns what chooses the scope of another client on the command line.
func (s Scope) flag() string {
	if s == ScopeUser {
		return " --user"
	}
	return ""
}
