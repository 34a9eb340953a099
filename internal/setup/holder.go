package setup

import (
	"slices"
	"strings"
)

// A holder is a place from which Claude Code has hooks of ours: a settings file, or the plugin.
type holder struct {
	path   string
	what   string // "hooks in /home/u/p/.claude/settings.json"
	way    string // the command that takes them out
	scope  Scope
	plugin bool
}

// stays reports whether Uninit with a scope leaves the hooks.
func (h holder) stays(scope Scope) bool {
	if scope == ScopeProject {
		return h.plugin || h.scope == ScopeUser
	}
	return h.plugin || h.scope != scope
}

// holders returns the places that have hooks of ours. What is wrong with a file is for those to tell who change it.
func (o Options) holders() []holder {
	var all []holder
	add := func(s site, scope Scope, way string) {
		doc := s.document()
		if doc == nil {
			return
		}
		if found, err := findHooks(doc); err == nil && len(found) > 0 {
			all = append(all, holder{s.path, "hooks in " + s.path, way, scope, false})
		}
		if name := pluginIn(doc.outermost()); name != "" {
			all = append(all, holder{s.path, "plugin " + name + ", enabled in " + s.path, "claude plugin uninstall " + name, scope, true})
		}
	}
	if o.Scope != ScopeUser || o.Project != "" {
		add(o.projectSite(), ScopeProject, "agent uninit")
		add(o.localSite(), ScopeLocal, "agent uninit --local")
	}
	add(o.userSite(), ScopeUser, "agent uninit --user")
	return all
}

// document reads the file; nil if there is none that can be read.
func (s site) document() *document {
	f, err := look(s.path)
	if err != nil || !f.exists() {
		return nil
	}
	doc, err := parse(f.path, f.data)
	if err != nil {
		return nil
	}
	return doc
}

// holds reports whether the file has entries of its kind that are ours.
func (s site) holds() bool {
	doc := s.document()
	if doc == nil {
		return false
	}
	found, err := s.kind.find(doc)
	return err == nil && len(found) > 0
}

// pluginIn returns the full name of our plugin if settings enable it, else "".
func pluginIn(top container) string {
	all, err := top.objectIn("enabledPlugins")
	if all == nil || err != nil {
		return ""
	}
	for _, m := range all.object.Members {
		name := literal(m.Name)
		if short, _, _ := strings.Cut(name, "@"); short == serverName && isTrue(m.Value) {
			return name
		}
	}
	return ""
}

// sources returns the files from which Uninit takes. A person who leaves a project need not remember how it was set up.
func (o Options) sources() []site {
	all := []site{o.projectSite(), o.localSite(), o.serverSite()}
	switch o.Scope {
	case ScopeUser:
		all = []site{o.userSite()}
	case ScopeLocal:
		all = []site{o.localSite()}
		if !o.projectSite().holds() { // else the server belongs to the hooks there
			all = append(all, o.serverSite())
		}
	}
	if !o.Scrub {
		return all
	}
	all = slices.DeleteFunc(all, func(s site) bool { return s.kind == kind(server{}) })
	for i := range all {
		all[i].kind = shellPrefix{}
	}
	return all
}
