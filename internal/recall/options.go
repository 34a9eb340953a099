package recall

import (
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/team"
	"tidepool/internal/scrub"
)

// Scopes of searches.
const (
	ScopeAll     = "all"     // memories of all projects
	ScopeProject = "project" // memories of this project, and those for the user
	ScopeUser    = "user"    // memories for the user only
	ScopeTeam    = "team"    // memories of the team only
)

// Options are the settings of a Store. Project is required.
type Options struct {
	Dir      string           // of the database; "": see DefaultDir
	Project  memory.Project   // whose memories are told here
	Root     string           // the checkout that decides whether a memory is out of date; "": Project.Path
	Fallback string           // directory of the database if Dir is on a network file system; "": recall is off then
	Team     *team.Team       // the memories that are shared, which stays its owner's to close; nil: none are
	Scrub    *scrub.Scrubber  // takes secrets out; nil: one of its own
	Embedder Embedder         // makes vectors of memories; nil: none are made
	Scope    string           // the widest that searches and prompts see: ScopeAll, ScopeProject; "": ScopeAll
	Floor    float64          // shifts how much evidence a memory needs to be told; 0: as fitted
	Log      *slog.Logger     // nil: nothing is logged
	Now      func() time.Time // nil: time.Now
}

// DefaultDir returns the directory of a user's memories: tidepool below XDG_DATA_HOME, or else below ~/.local/share; "": the environment
// names neither.
func DefaultDir(getenv func(name string) string) string {
	base := getenv("XDG_DATA_HOME")
	if home := getenv("HOME"); !filepath.IsAbs(base) && filepath.IsAbs(home) { // by the specification a relative path is invalid
		base = filepath.Join(home, ".local", "share")
	}
	if !filepath.IsAbs(base) {
		return ""
	}
	return filepath.Join(base, "tidepool")
}

// filled returns the options with what their zeroes stand for.
func (o Options) filled() (Options, error) {
	if o.Dir == "" {
		o.Dir = DefaultDir(os.Getenv)
	}
	if o.Root == "" {
		o.Root = o.Project.Path
	}
	if o.Scope == "" {
		o.Scope = ScopeAll
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Scrub == nil {
		var err error
		if o.Scrub, err = scrub.New(scrub.Options{}); err != nil {
			return o, err
		}
	}
	return o, nil
}
