package work

import (
	"cmp"
	"context"
	"os"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/git"
	"tidepool/internal/wording"
)

// How long sources may take unless told otherwise.
const (
	defaultGitTime     = 10 * time.Second
	defaultTrackerTime = 10 * time.Second
	defaultHubTime     = 15 * time.Second
)

// DefaultBranchPattern finds the issue in names such as "bd-a3f8/fix-login" and "bd-demo-a3f8.1/fix-login".
const DefaultBranchPattern = `^bd-([A-Za-z0-9_.]+(?:-[A-Za-z0-9_.]+)*)/.`

// Options configure a Work.
type Options struct {
	Dir string   // a directory of the checkout, absolute
	Env []string // of the programs, as KEY=value; nil: os.Environ()
	// Trusted says whether the tracker may run in a directory: a project brings programs that it runs. nil: in each.
	Trusted func(dir string) bool
	Pattern *regexp.Regexp // its first group is the issue in a branch's name; nil: DefaultBranchPattern
	// How long each source may take, and the tracker's sync; 0: 10 s, 10 s, 15 s, 30 s.
	GitTime, TrackerTime, HubTime, SyncTime time.Duration
}

// Work is the work in one checkout. Safe for concurrent use. It starts no goroutine that outlives a call.
type Work struct {
	runner  runner
	pattern *regexp.Regexp
	times   struct{ git, tracker, hub, sync time.Duration }
	trusted func(dir string) bool     // nil: everywhere
	tracker chan struct{}             // capacity 1: one bd at a time
	sources *atomic.Pointer[[]Source] // shared by all checkouts
}

// New makes a Work.
func New(options Options) *Work {
	w := &Work{pattern: options.Pattern, trusted: options.Trusted, tracker: make(chan struct{}, 1), sources: new(atomic.Pointer[[]Source])}
	if w.pattern == nil {
		w.pattern = regexp.MustCompile(DefaultBranchPattern)
	}
	env := options.Env
	if env == nil {
		env = os.Environ()
	}
	w.runner = runner{dir: options.Dir, env: append(git.Environment(env), "GIT_TERMINAL_PROMPT=0", "GH_PROMPT_DISABLED=1", "NO_COLOR=1", "GH_NO_UPDATE_NOTIFIER=1")}
	w.times.git = cmp.Or(options.GitTime, defaultGitTime)
	w.times.tracker = cmp.Or(options.TrackerTime, defaultTrackerTime)
	w.times.hub = cmp.Or(options.HubTime, defaultHubTime)
	w.times.sync = cmp.Or(options.SyncTime, defaultSyncTime)
	return w
}

// At returns the work in another checkout of the same repository: its trackers wait for each other.
func (w *Work) At(dir string) *Work {
	other := *w
	other.runner.dir = dir
	return &other
}

// A Status is how the work stands.
type Status struct {
	Bead       *Bead        `json:"bead"`
	Worktree   *Worktree    `json:"worktree"`
	Branch     *Branch      `json:"branch"`
	DirtyFiles []string     `json:"dirty_files"`
	Dirty      []DirtyFile  `json:"dirty"` // the same, with what is the matter with each
	PR         *PullRequest `json:"pr"`
	Gaps       []Gap        `json:"missing"`           // what could not be told, and why
	Sources    []Source     `json:"sources,omitempty"` // the programs as they were found at the start; nil: not yet
}

// A Gap is a part of an answer that is missing.
type Gap struct {
	Source string `json:"source"` // git, bd, gh
	Reason string `json:"reason"`
	Hint   string `json:"hint,omitempty"` // what to do; "": nothing
}

func gap(source string, err error) *Gap {
	return &Gap{Source: source, Reason: err.Error(), Hint: wording.HintOf(err)}
}

// Status tells how the work stands; of this issue if id is not empty, else of the branch's. The sources are asked at the
// same time. It always answers; what is missing is in Gaps.
func (w *Work) Status(ctx context.Context, id string) Status {
	s := Status{DirtyFiles: []string{}, Dirty: []DirtyFile{}, Gaps: []Gap{}}
	var told struct{ git, dirt, bead, pr *Gap }
	var sources sync.WaitGroup
	ask := func(source func()) { sources.Go(source) }
	ask(func() { told.dirt = w.statusOfFiles(ctx, &s) })
	if id != "" {
		ask(func() { s.Bead, told.bead = w.statusOfBead(ctx, id) })
	}
	p, err := within(ctx, w.times.git, w.position)
	if err != nil {
		told.git = gap("git", err)
	} else {
		s.Worktree = &p.worktree
		ask(func() { s.PR, told.pr = w.statusOfPR(ctx, p) })
		if id == "" {
			ask(func() { s.Bead, told.bead = w.statusOfBranch(ctx, p.worktree.Branch) })
		}
	}
	sources.Wait()
	s.Sources = w.Sources()
	if told.git != nil {
		told.dirt = nil // the same once more
	}
	for _, g := range []*Gap{told.git, told.dirt, told.bead, told.pr} {
		if g != nil {
			s.Gaps = append(s.Gaps, *g)
		}
	}
	return s
}

// within runs a question under a deadline of its own.
func within[T any](ctx context.Context, limit time.Duration, ask func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return ask(ctx)
}

func (w *Work) statusOfBead(ctx context.Context, id string) (*Bead, *Gap) {
	bead, err := within(ctx, w.times.tracker, func(ctx context.Context) (*Bead, error) { return w.bead(ctx, id) })
	if err != nil {
		return nil, gap("bd", err)
	}
	return bead, nil
}

// statusOfBranch returns the issue that a branch's name tells.
func (w *Work) statusOfBranch(ctx context.Context, branch string) (*Bead, *Gap) {
	id := w.IssueOf(branch)
	_, err := w.runner.find("bd")
	switch {
	case id == "" && err != nil:
		return nil, &Gap{Source: "bd", Reason: "no issues are tracked here: bd is not installed"}
	case branch == "":
		return nil, &Gap{Source: "bd", Reason: "no branch is checked out, so none names an issue", Hint: "pass bead_id"}
	case id == "":
		return nil, &Gap{Source: "bd", Reason: "the name of branch " + branch + " has no issue in it", Hint: "pass bead_id, or set work.branch_pattern"}
	}
	return w.statusOfBead(ctx, id)
}

// IssueOf returns the issue that a branch is named after, as it stands there; "" if none.
func (w *Work) IssueOf(branch string) string {
	if match := w.pattern.FindStringSubmatch(branch); len(match) > 1 {
		return match[1]
	}
	return ""
}

func (w *Work) statusOfFiles(ctx context.Context, s *Status) *Gap {
	d, err := within(ctx, w.times.git, w.dirt)
	if err != nil {
		return gap("git", err)
	}
	s.Branch, s.Dirty = &d.branch, d.files
	for _, f := range d.files {
		s.DirtyFiles = append(s.DirtyFiles, f.Path)
	}
	return nil
}

func (w *Work) statusOfPR(ctx context.Context, p position) (*PullRequest, *Gap) {
	switch {
	case p.worktree.Branch == "":
		return nil, &Gap{Source: "gh", Reason: "no branch is checked out, so there is none with a pull request"}
	case p.remote == Repository{}:
		return nil, &Gap{Source: "gh", Reason: "the repository has no remote on a server", Hint: "git remote add origin URL"}
	}
	pr, err := within(ctx, w.times.hub, func(ctx context.Context) (*PullRequest, error) {
		return w.pullRequest(ctx, p.remote, p.worktree.Branch)
	})
	if err != nil {
		return nil, gap("gh", err)
	}
	return pr, nil
}
