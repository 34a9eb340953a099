package tools

import "testing"

// What each language tells of a small project: roles and traits. See the archives.
func TestRolesOfLanguages(t *testing.T) {
	for id, name := range map[string]string{"go": "rolesgo", "python": "rolespython", "typescript": "rolestypescript", "c": "rolesclang"} {
		t.Run(id, func(t *testing.T) { compareAnswers(t, serveFile(t, id, name), name) })
	}
}
