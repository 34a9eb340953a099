package lsp

import (
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// A tree is one checkout that a project serves: the project's directory, or the same directory in another worktree
// of the repository. It knows its files as they were at the last walk.
type tree struct {
	project *Project
	root    string

	walking sync.Mutex // held while the disk is compared and the servers are told
	disk    *disk.Disk

	telling sync.Mutex
	told    map[string]bool // paths that may have changed since the last walk

	mu       sync.Mutex
	contents map[string]content     // by ID of the language; nil: not walked yet
	unsynced int                    // files that the last walk found too many to follow
	asked    time.Time              // when a View was last made
	indexes  map[string]*text.Index // by ID of the language
	revised  map[string]int64       // by path of a file that has changed: its revision
	original int64                  // the revision of all others
	vouched  map[string]int64       // the revisions of those source files that they were asked of, until something changes
}

func newTree(p *Project, root string) *tree {
	t := &tree{project: p, root: root, told: map[string]bool{}, asked: time.Now(), indexes: map[string]*text.Index{},
		revised: map[string]int64{}, original: p.revision.Add(1), vouched: map[string]int64{}}
	t.disk = disk.New(root, followed(p.languages))
	return t
}

// tell takes note for the next sync. Relative paths are below the root.
func (t *tree) tell(paths []string) {
	t.telling.Lock()
	defer t.telling.Unlock()
	for _, path := range paths {
		if len(t.told) >= disk.Limit {
			return // the walk sees most of them
		}
		t.told[t.absolute(path)] = true
	}
}

// sync compares the disk with the last time and notes the changes for every server.
func (t *tree) sync() {
	t.walking.Lock()
	defer t.walking.Unlock()
	t.telling.Lock()
	told := t.told
	t.told = map[string]bool{}
	t.telling.Unlock()
	caughtUp := slices.DeleteFunc(t.project.serversOf(t), func(s *server) bool { return !s.isCaughtUp() })
	changes := t.disk.Walk(told)
	t.revise(changes)
	first, moved := t.survey(changes)
	for _, c := range changes {
		t.project.plain.Forget(c.Path)
	}
	if first {
		changes = nil // sessions that live hear of roots, and those to come read what is there
	}
	for _, s := range t.project.serversOf(t) {
		s.note(t, changes, moved)
	}
	for _, s := range caughtUp {
		if !s.hearsOf(changes) {
			s.confirm(t)
		}
	}
}

// know makes sure that the tree has been walked.
func (t *tree) know() {
	t.mu.Lock()
	known := t.contents != nil
	t.mu.Unlock()
	if !known {
		t.sync()
	}
}

// of returns what the tree has of a language.
func (t *tree) of(language *Language) content {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.contents[language.ID]
}

// wanted returns the servers of the languages that the tree has.
func (t *tree) wanted() []*server {
	t.know()
	var wanted []*server
	for i := range t.project.languages {
		language := &t.project.languages[i]
		if len(t.of(language).roots) > 0 {
			wanted = append(wanted, t.project.server(language, t))
		}
	}
	return wanted
}

// eager returns those of the wanted servers that need not wait for a question: those of languages with a root marker.
// Without any marker they all are.
func (t *tree) eager(wanted []*server) []*server {
	eager := slices.DeleteFunc(slices.Clone(wanted), func(s *server) bool { return !t.of(s.language).marked })
	if len(eager) == 0 {
		return wanted
	}
	return eager
}

// begun returns the wanted servers without those that wait for the first question.
func (t *tree) begun() []*server {
	wanted := t.wanted()
	eager := t.eager(wanted)
	return slices.DeleteFunc(wanted, func(s *server) bool { return s.untouched() && !slices.Contains(eager, s) })
}

// used takes note that somebody asks about the tree.
func (t *tree) used() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked = time.Now()
}

// close lets go of the disk.
func (t *tree) close() {
	t.walking.Lock()
	defer t.walking.Unlock()
	t.disk.Unwatch()
}

// absolute is path below the root, unless it is absolute already. A way into the tree through symbolic links becomes
// the direct one.
func (t *tree) absolute(path string) string {
	if !filepath.IsAbs(path) {
		return filepath.Join(t.root, path)
	}
	path = filepath.Clean(path)
	if !t.inside(path) {
		if direct, err := filepath.EvalSymlinks(path); err == nil && t.inside(direct) {
			return direct
		}
	}
	return path
}

// inside reports whether an absolute path is that of the root or below it.
func (t *tree) inside(path string) bool { return disk.Inside(t.root, path) }

// relative is path as a person writes it who works in the tree.
func (t *tree) relative(path string) string { return disk.Relative(t.root, path) }

func (t *tree) part() session.Part { return session.Part{Foreign: t.foreign(), Relative: t.relative} }
