//go:build linux

package escape

import "tidepool/internal/sandbox"

// Options say how a table is tried. They go to the process that does it as JSON.
type Options struct {
	Dir     string        // a directory of who tries; worlds are built below it
	Run     string        // a directory of who tries below /run, or in Dir where nobody may have one there
	Try     string        // the program of package try
	Confine []string      // what becomes the process between who tries and a command
	Level   sandbox.Level // that must be had
	Layout  Layout        // where the project lies
	Control bool          // run the controls, too
	Only    string        // the names of the ways to try contain this; "": all
	Share   Share         // of those
}

// A Share is each Of-th way, from the Index-th on: several processes try a table at once. The zero value is all.
type Share struct{ Index, Of int }

// has reports whether the i-th way is in the share.
func (s Share) has(i int) bool { return s.Of == 0 || i%s.Of == s.Index }

// A Layout is where a project lies, and what leads to it.
type Layout string

// The layouts. The zero value is a directory in the home.
const (
	InHome   Layout = ""
	Worktree Layout = "worktree" // the project is a worktree of a repository beside it
	Linked   Layout = "linked"   // the path of the project leads through a link
	GitLink  Layout = "gitlink"  // .git of the project is a link to a directory beside it
	InTmp    Layout = "tmp"      // the project lies below /tmp
)

// A Result is what became of one way.
type Result struct {
	Way     string
	Runs    []Run  // inside: two, in the same project
	Control *Run   // outside; nil: not tried
	Absent  string // what this machine lacks, so that the control cannot succeed; "": nothing
	Error   string // why it could not be tried; "": it was
}

// A Run is one run of a way's lines.
type Run struct {
	Breaches []Breach
	Exit     int
	Output   string // the end of what was printed
	Held     []string
	Restored []string
}

// Breaches returns what happened inside, each once.
func (r Result) Breaches() []Breach {
	var all []Breach
	seen := map[Breach]bool{}
	for _, run := range r.Runs {
		for _, b := range run.Breaches {
			if !seen[b] {
				seen[b] = true
				all = append(all, b)
			}
		}
	}
	return all
}

// Held reports whether nothing happened inside, both times.
func (r Result) Held() bool { return r.Error == "" && len(r.Runs) == 2 && len(r.Breaches()) == 0 }
