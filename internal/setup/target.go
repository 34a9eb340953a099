package setup

import (
	"fmt"
	"slices"
	"strings"
)

// hasState reports whether Init makes a state directory. For a user it does so where that is asked for.
func (o Options) hasState() bool { return o.Scope != ScopeUser || o.MakeStateDir != nil }

// targets returns the files that Init writes. Hooks that run already, from another file or the plugin, are not installed a second time.
func (p *Plan) targets(o Options) ([]site, error) {
	hooks := o.ownHooks()
	others := slices.DeleteFunc(o.holders(), func(h holder) bool { return h.path == hooks.path && !h.plugin })
	plugin := slices.ContainsFunc(others, func(h holder) bool { return h.plugin })
	var all []site
	if len(others) == 0 || hooks.holds() || o.Scope == ScopeUser && !plugin {
		all = append(all, hooks)
	}
	for _, h := range others {
		p.noteOther(o, h, len(all) > 0)
	}
	if o.Scope == ScopeUser {
		return all, nil
	}
	if o.Scrub && o.Scope == ScopeProject {
		shell := o.localSite()
		shell.kind = shellPrefix{}
		all = append(all, shell)
	}
	server, err := p.serverTarget(o, plugin)
	return append(all, server...), err
}

// ownHooks returns the settings file of the scope.
func (o Options) ownHooks() site {
	return map[Scope]site{ScopeProject: o.projectSite(), ScopeLocal: o.localSite(), ScopeUser: o.userSite()}[o.Scope]
}

// noteOther says that another place has hooks, too, and whether they run twice therefore.
func (p *Plan) noteOther(o Options, h holder, twice bool) {
	text := fmt.Sprintf("%s: no second set of hooks is installed, or each event would be told twice; run `%s` first if these are to be used instead", h.what, h.way)
	switch {
	case twice && o.Scope == ScopeUser:
		text = fmt.Sprintf("%s: in this project each event is told twice; `%s` takes those out", h.what, h.way)
	case twice:
		text = fmt.Sprintf("%s: each event is told twice; `%s` takes those out", h.what, h.way)
	}
	p.Notes = append(p.Notes, text)
}

// serverTarget returns the file of the project's MCP server, or none if there is one by other means.
func (p *Plan) serverTarget(o Options, plugin bool) ([]site, error) {
	s := o.serverSite()
	if plugin && !s.holds() || o.hasServer() && !s.holds() {
		return nil, nil
	}
	if o.Scope != ScopeLocal {
		return []site{s}, nil
	}
	if s.holds() && o.projectSite().holds() {
		return nil, nil // it belongs to the hooks there
	}
	hidden, err := o.Repository.hides(s.path)
	if err != nil || hidden {
		return []site{s}, err
	}
	if !s.holds() {
		p.Notes = append(p.Notes, fmt.Sprintf("git tracks %s, which stays as it is. For the tools have Claude Code add the server to its own file: claude mcp add --scope local %s -- %s mcp",
			s.path, serverName, quote(o.Agent)))
	}
	return nil, nil
}

// hide plans that git shows nothing of the files that only the user has, and what others are to get.
func (p *Plan) hide(o Options, targets []site) error {
	if o.Scope == ScopeUser {
		return nil
	}
	local, server := o.localSite().path, o.serverSite().path
	var add, drop []string
	for _, s := range targets {
		switch {
		case s.path == local:
			add = append(add, local)
		case s.path == server && o.Scope == ScopeProject:
			drop = append(drop, server)
		case s.path == server && p.makes(server):
			add = append(add, server) // one that was there before git shows already, as its owner knows
		}
	}
	if len(add) > 0 && o.RepositoryError != nil {
		p.Notes = append(p.Notes, fmt.Sprintf("git may show %s: %v", strings.Join(add, " and "), o.RepositoryError))
	}
	for _, path := range slices.Clone(add) {
		hidden, err := o.Repository.hides(path)
		if err != nil {
			return err
		}
		if !hidden {
			add = slices.DeleteFunc(add, func(a string) bool { return a == path })
			p.Notes = append(p.Notes, "git tracks "+path+", so that it shows what has changed there")
		}
	}
	return p.exclude(o.Repository, add, drop)
}

// makes reports whether the plan makes a file that is not there.
func (p *Plan) makes(path string) bool {
	return slices.ContainsFunc(p.Changes, func(c Change) bool { return c.Path == path && c.Before == nil })
}
