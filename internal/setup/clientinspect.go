package setup

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/setup/client"
)

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
func (o Options) inspectClient(c client.Client, s clientSite) (all []Finding) {
	f, err := o.lookPlain(s.path)
	switch {
	case err != nil:
		return []Finding{broken(s.path, err)}
	case !f.exists():
		return nil
	}
	for _, part := range s.Parts {
		found, err := part.Find(f.data)
		if err != nil {
			return []Finding{broken(s.path, fileError(s.path, err))}
		}
		all = append(all, o.inspectPart(c, s, f, part, found)...)
	}
	return all
}

// inspectPart looks at the entries of one kind in a file.
func (o Options) inspectPart(c client.Client, s clientSite, f file, part client.Part, found []client.Entry) (all []Finding) {
	var seen []string
	for _, e := range found {
		what := e.What + " in " + s.path
		switch problem := o.wrongProgram(e.Command); {
		case slices.Contains(seen, e.Command):
			continue
		case e.Off != "":
			all = append(all, Finding{What: what, Problem: "it is switched off there: " + e.Off, Fix: "remove that"})
		case problem != "":
			all = append(all, o.Scope.mendClient(c, what, problem))
		default:
			all = append(all, fine("%s: %s", what, e.Command))
		}
		seen = append(seen, e.Command)
	}
	if len(seen) != 1 || !all[0].OK {
		return all
	}
	if whole, err := part.Put(f.data, seen[0]); err == nil && !bytes.Equal(whole, f.data) {
		return []Finding{o.Scope.mendClient(c, found[0].What+" in "+s.path, "some are missing, or stand at another event")}
	}
	return all
}

// wrongProgram returns what is wrong with the program of an entry, "" if it is the one that is meant.
func (o Options) wrongProgram(command string) string {
	if !filepath.IsAbs(command) && strings.ContainsRune(command, filepath.Separator) {
		return command + " is a relative path, so that another directory may have another program there"
	}
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
