package skill

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/skill"
	"tidepool/internal/wording"
)

// scopesOf returns the scopes that an argument names; "" and all are both, in the order in which Claude Code prefers them.
func scopesOf(kind skill.Kind, scope string) ([]skill.Scope, error) {
	switch scope {
	case "", "all":
		if kind == skill.Agent {
			return []skill.Scope{skill.Project, skill.User}, nil
		}
		return []skill.Scope{skill.User, skill.Project}, nil
	case string(skill.Project), string(skill.User):
		return []skill.Scope{skill.Scope(scope)}, nil
	}
	return nil, scopeError(scope)
}

// oneScope returns the scope of a new document; "" is the project's.
func oneScope(scope string) (skill.Scope, error) {
	switch of := skill.Scope(cmp.Or(scope, string(skill.Project))); of {
	case skill.Project, skill.User:
		return of, nil
	}
	return "", scopeError(scope)
}

func scopeError(scope string) error {
	return &refusedError{fmt.Sprintf("there is no scope %q: Claude Code has skills and agents of a project and of its user", wording.Line(wording.Visible(scope), 40)),
		"use project, which a team shares by git, or user"}
}

// find returns the document of a name. Of two in different scopes it is the one that Claude Code uses; clear refuses them.
func (t *Toolset) find(kind skill.Kind, id, scope string, clear bool) (skill.Document, error) {
	scopes, err := scopesOf(kind, scope)
	if err != nil {
		return skill.Document{}, err
	}
	all, err := t.Documents.List(kind, scopes...)
	if err != nil {
		return skill.Document{}, err
	}
	var found []skill.Document
	var names []string
	for _, d := range all.Documents {
		if d.Name == id {
			found = append(found, d)
		}
		names = append(names, wording.Line(wording.Visible(d.Name), 40))
	}
	switch {
	case len(found) == 0:
		hint := fmt.Sprintf("%s_list lists them", kind)
		if len(names) > 0 {
			slices.Sort(names)
			hint = "there are " + wording.Line(strings.Join(slices.Compact(names), ", "), 400)
		}
		return skill.Document{}, &missingError{refusedError{fmt.Sprintf("there is no %s %q", kind, wording.Line(wording.Visible(id), 80)), hint}}
	case clear && len(found) > 1:
		return skill.Document{}, &refusedError{fmt.Sprintf("%s and %s are both called %s", found[0].Path, found[1].Path, wording.Line(wording.Visible(id), 80)), "give the scope; of two in one scope, change the name in one of the files"}
	}
	return found[0], nil
}

// untrusted reports whether a document is text of a clone that its user has not trusted.
func (t *Toolset) untrusted(scope skill.Scope) bool { return scope == skill.Project && !t.Trusted() }
