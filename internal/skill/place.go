package skill

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A Kind is what a document defines.
type Kind string

// The kinds.
const (
	Skill Kind = "skill"
	Agent Kind = "agent"
)

// A Scope is whose a document is.
type Scope string

// The scopes.
const (
	Project Scope = "project" // .claude of the project
	User    Scope = "user"    // .claude of the home directory
)

// Limits of what is read and written.
const (
	MaxFile    = 1_000_000 // bytes: Claude Code loads no larger skill
	maxFront   = 64 << 10  // bytes of frontmatter
	maxEntries = 500       // documents of one directory
	maxAll     = 16 << 20  // bytes of all documents of one directory
	fileName   = "SKILL.md"
)

// Options say where documents are.
type Options struct {
	Project   string // absolute
	Home      string // the user's; "": there are no documents of the user
	ConfigDir string // CLAUDE_CONFIG_DIR; "": .claude in Home
}

// A Store finds and changes documents. It is safe for concurrent use and keeps nothing open.
type Store struct {
	options Options
	writing sync.Mutex // held while a file is compared and replaced
}

// New returns the Store of a project. It opens nothing.
func New(o Options) *Store { return &Store{options: o} }

// A place is a directory of documents.
type place struct {
	kind  Kind
	scope Scope
	base  string   // absolute; links on the way to it are followed
	names []string // directories from base to the documents, no links
}

// place returns where the documents of a kind and a scope are; ok is false if there is no such place.
func (s *Store) place(kind Kind, scope Scope) (p place, ok bool) {
	p = place{kind: kind, scope: scope, base: s.options.Project, names: []string{".claude", string(kind) + "s"}}
	if scope == User {
		p.base = s.options.Home
		if s.options.ConfigDir != "" {
			p.base, p.names = s.options.ConfigDir, p.names[1:]
		}
	}
	return p, p.base != ""
}

// dir returns the path of the place, for messages.
func (p place) dir() string { return filepath.Join(append([]string{p.base}, p.names...)...) }

// shown returns the path of a file of the place, for people: of the project relative to it.
func (p place) shown(below string) string {
	if p.scope == Project {
		return filepath.Join(append(append([]string{}, p.names...), below)...)
	}
	path := filepath.Join(p.dir(), below)
	if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(path, cmp.Or(home, "/")+"/") {
		return "~" + strings.TrimPrefix(path, home)
	}
	return path
}

// below returns the path of a new document in its place.
func (p place) below(name string) string {
	if p.kind == Skill {
		return filepath.Join(name, fileName)
	}
	return name + ".md"
}
