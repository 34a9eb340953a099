package policyfile

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"tidepool/internal/config"
	"tidepool/internal/policy"
	"tidepool/internal/wording"
)

// A Reader reads policy files again and again. It remembers the files that it could use. Safe for concurrent use.
type Reader struct {
	// Own returns why a file may not have been made by its user, or nil. It is asked only about files with a policy that is told or that
	// overrides.
	Own func(level policy.Level, path string) error

	mu    sync.Mutex
	known map[string][]policy.Definition // by path, as they were when the file could be used
	gone  map[string]bool                // paths that were missing at the latest read
}

// A Result is what was read.
type Result struct {
	Definitions []policy.Definition
	Problems    []error // what is wrong, and what follows from that; each has a hint
	Files       int     // that could be used
	// Changing reports whether a file has disappeared. Its policies count until it is still missing at the next Read: an editor may be about
	// to put a new one in its place.
	Changing bool
}

// Read reads all files of the directories, which are those of the highest level first.
func (r *Reader) Read(dirs []Dir) Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	reading := &reading{Reader: r, before: r.known, seen: map[string]bool{}}
	r.known = map[string][]policy.Definition{}
	for _, d := range dirs {
		reading.dir(d)
	}
	reading.keepGone(dirs)
	reading.relate()
	return reading.result
}

// A reading is one Read.
type reading struct {
	*Reader
	before map[string][]policy.Definition
	seen   map[string]bool // paths
	result Result
}

func (r *reading) dir(d Dir) {
	files, closeDir, err := d.open()
	if errors.Is(err, fs.ErrNotExist) && d.Optional {
		return
	}
	if err != nil {
		r.spoiledDir(d, err)
		return
	}
	for _, f := range files {
		r.seen[f.path] = true
		r.file(d, f)
	}
	if err := closeDir(); err != nil {
		r.problem(err)
	}
}

// spoiledDir keeps what was read of a directory before.
func (r *reading) spoiledDir(d Dir, err error) {
	kept := false
	for path, definitions := range r.before {
		if below(d.Path, path) {
			r.seen[path], kept = true, true
			r.use(path, definitions)
		}
	}
	r.spoiled(d.Level, d.Path, err, kept)
}

func below(dir, path string) bool { return strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/") }

// spoiled notes that a file or a directory cannot be used.
func (r *reading) spoiled(level policy.Level, path string, err error, kept bool) {
	if kept {
		r.problem(&spoiledError{err, "its policies stay as they were before"})
		return
	}
	r.problem(&spoiledError{err, "what it denies is not known, so you are asked about each tool call"})
	r.result.Definitions = append(r.result.Definitions, policy.Definition{Level: level, Severity: policy.Warning, Source: path, Fault: sentence(err)})
}

// file reads one file.
func (r *reading) file(d Dir, f found) {
	data, err := f.read()
	var entries []config.PolicyEntry
	if err == nil {
		entries, err = config.ParsePolicies(f.path, data)
	}
	if err != nil {
		before, kept := r.before[f.path]
		if kept {
			r.use(f.path, before)
		}
		r.spoiled(d.Level, f.path, err, kept)
		return
	}
	before := r.before[f.path]
	var definitions []policy.Definition
	for _, e := range entries {
		definitions = append(definitions, r.definition(d.Level, f.path, e, before))
	}
	r.use(f.path, definitions)
}

func (r *reading) use(path string, definitions []policy.Definition) {
	r.known[path] = definitions
	r.result.Files++
	r.result.Definitions = append(r.result.Definitions, definitions...)
}

// definition returns what an entry of a file means. Of one that cannot be used the one before stays, if there is one with its id.
func (r *reading) definition(level policy.Level, path string, e config.PolicyEntry, before []policy.Definition) policy.Definition {
	d := policy.Definition{
		ID: e.ID, Title: e.Title, Category: e.Category, Severity: policy.Severity(e.Severity), Requirement: e.Requirement,
		Expires: e.Expires, Overridable: e.Overridable, Disabled: !e.Enabled, Level: level, Source: fmt.Sprintf("%s:%d", path, e.Line),
	}
	for _, c := range e.Enforcement {
		d.Enforcement = append(d.Enforcement, policy.Condition{Tool: c.Tool, Field: c.Field, Pattern: c.Pattern, Reason: c.Reason})
	}
	if e.Fault == nil {
		return d
	}
	for _, old := range before {
		if old.ID == d.ID && d.ID != "" && old.Fault == "" {
			r.problem(&spoiledError{e.Fault, "the policy stays as it was before"})
			return old
		}
	}
	consequence := "what it denies is not known, so you are asked about each call that it could concern"
	if d.Disabled {
		consequence = "it is disabled"
	}
	r.problem(&spoiledError{e.Fault, consequence})
	d.Severity, d.Fault = policy.Warning, sentence(e.Fault)
	return d
}

// keepGone keeps the policies of files that have just disappeared.
func (r *reading) keepGone(dirs []Dir) {
	gone := map[string]bool{}
	for path, definitions := range r.before {
		if r.seen[path] || r.gone[path] || !inSome(dirs, path) {
			continue
		}
		gone[path], r.result.Changing = true, true
		r.use(path, definitions)
	}
	r.Reader.gone = gone
}

func inSome(dirs []Dir, path string) bool {
	for _, d := range dirs {
		if below(d.Path, path) {
			return true
		}
	}
	return false
}

func (r *reading) problem(err error) { r.result.Problems = append(r.result.Problems, err) }

// sentence returns an error as a sentence.
func sentence(err error) string {
	return strings.TrimSuffix(wording.Line(wording.Visible(err.Error()), 500), ".") + "."
}

// A spoiledError means that something of the policies cannot be used, and says what follows from that.
type spoiledError struct {
	err         error
	consequence string
}

func (e *spoiledError) Error() string {
	return strings.ReplaceAll(e.err.Error(), "\n", "; ") + ": " + e.consequence
}

func (e *spoiledError) Unwrap() error { return e.err }

// Hint says what to do.
func (e *spoiledError) Hint() string {
	if hint := wording.HintOf(e.err); hint != "" {
		return hint
	}
	return "correct the file, or ask whoever keeps it"
}
