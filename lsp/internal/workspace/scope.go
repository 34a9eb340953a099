package workspace

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// A scope holds the source files of one tree that a server does not load. They are searched for the name in question: only if one
// mentions it can an answer lack something. Guarded by the server's mu.
type scope struct {
	outside func(path string) string
	why     map[string]string // by path, of the files outside
	entered map[string]bool   // files that were outside when the server last heard of changes, and are not now
}

// scanLimit is how many files outside that have a name's last word are read for the name; if there are more, they are counted.
const scanLimit = 200

// scopeChanges follows changes in a tree. Callers hold mu.
func (s *Server) scopeChanges(t *Tree, changes []disk.Change, moved bool) {
	manifest := func(c disk.Change) bool { return disk.Named(s.Language.Manifests, filepath.Base(c.Path)) }
	known := s.scopes[t]
	if known == nil || moved || slices.ContainsFunc(changes, manifest) {
		s.scopes[t] = s.scopeOf(t, known)
		return
	}
	for _, c := range changes {
		before := known.why[c.Path]
		delete(known.why, c.Path)
		if c.Kind != disk.Deleted && s.Language.Reads(c.Path) && t.Inside(c.Path) {
			known.classify(c.Path, before)
		}
	}
}

// scopeOf finds the files of a tree that the server does not load. before is what it was, nil if it was not known.
func (s *Server) scopeOf(t *Tree, before *scope) *scope {
	made := &scope{outside: s.Outside(t), why: map[string]string{}, entered: map[string]bool{}}
	if before == nil {
		before = made
	}
	maps.Copy(made.entered, before.entered)
	for _, path := range t.Of(s.Language).sources {
		made.classify(path, before.why[path])
	}
	return made
}

// scopeIn returns the scope of a tree. Callers hold mu.
func (s *Server) scopeIn(t *Tree) *scope {
	known := s.scopes[t]
	if known == nil {
		known = s.scopeOf(t, nil)
		s.scopes[t] = known
	}
	return known
}

// Outside returns a function that says why the server does not load a source file of a tree, "" if it does.
func (s *Server) Outside(t *Tree) func(path string) string {
	switch {
	case s.coverage != nil:
		return s.coverage
	case s.Language.Probe != nil: // it has not said yet
		return func(string) string { return "" }
	}
	lookup := func(key string) string { return session.Getenv(s.workspace.env, key) }
	byRoot := map[string]func(string) string{}
	for _, root := range t.Of(s.Language).Roots {
		if s.Language.Outside != nil {
			byRoot[root] = s.Language.Outside(s.Language, root, lookup)
		}
	}
	return func(path string) string {
		has := t.Of(s.Language)
		if why := has.stray(path); why != "" {
			return why
		}
		if of := byRoot[has.Root(path)]; of != nil {
			return of(path)
		}
		return ""
	}
}

// classify asks whether a file is outside. before is why it was, "" if it was not.
func (c *scope) classify(path, before string) {
	if why := c.outside(path); why != "" {
		c.why[path] = why
	} else if before != "" {
		c.entered[path] = true
	}
}

// whyLocked returns why a file of one of the trees is outside, "" if it is not.
func (s *Server) whyLocked(path string) string {
	for _, known := range s.scopes {
		if why := known.why[path]; why != "" {
			return why
		}
	}
	return ""
}

// enteredLocked returns the files that were outside when it was last called, and are not now.
func (s *Server) enteredLocked() map[string]bool {
	entered := map[string]bool{}
	for _, known := range s.scopes {
		maps.Copy(entered, known.entered)
		clear(known.entered)
	}
	return entered
}

// Mentioned lists the files of a tree outside the server's reach that mention name, and says why they are outside.
func (s *Server) Mentioned(t *Tree, name string) []Mention {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.scopeIn(t)
	word := text.LastWord(name)
	paths := t.Words(s.Language).Index.Mentioning(word, slices.Sorted(maps.Keys(known.why)))
	if len(paths) > scanLimit {
		return []Mention{{Reason: fmt.Sprintf("%d source files that may mention %s are not loaded", len(paths), word)}}
	}
	var found []Mention
	for _, path := range paths {
		content, _ := os.ReadFile(path) // a file that is gone mentions nothing
		if text.Mentions(string(content), name) {
			found = append(found, Mention{path, fmt.Sprintf("%s mentions %s but %s", t.Relative(path), name, known.why[path]), known.why[path]})
		}
	}
	return found
}

// A Mention is a file that a server does not load and that mentions a name in question. path is "" if it stands for more
// files than are looked at. Why is the part of the reason that other files may share.
type Mention struct{ Path, Reason, Why string }
