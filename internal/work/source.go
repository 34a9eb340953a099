package work

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"time"
)

// versionTime is how long a program may take to say its version.
const versionTime = 5 * time.Second

// A Source is a program that knows a part of the state of the work.
type Source struct {
	Name    string `json:"name"`              // git, bd, gh
	Path    string `json:"path,omitempty"`    // "": it was not found
	Version string `json:"version,omitempty"` // "1.0.3"; "": it does not say
	Reason  string `json:"reason,omitempty"`  // why there is no path or no version
}

// Sources returns what was found the last time that FindSources looked; nil before that.
func (w *Work) Sources() []Source {
	if found := w.sources.Load(); found != nil {
		return *found
	}
	return nil
}

// FindSources looks the programs up and asks for their versions, all at the same time. A daemon does it at its start;
// whether a program is there is seen again at each question.
func (w *Work) FindSources(ctx context.Context) {
	found := []Source{{Name: "git"}, {Name: "bd"}, {Name: "gh"}}
	var asking sync.WaitGroup
	for i := range found {
		asking.Go(func() { w.find(ctx, &found[i]) })
	}
	asking.Wait()
	if ctx.Err() == nil {
		w.sources.Store(&found)
	}
}

func (w *Work) find(ctx context.Context, s *Source) {
	var err error
	if s.Path, err = w.runner.find(s.Name); err != nil {
		s.Reason = "not found on PATH"
		return
	}
	out, err := within(ctx, versionTime, func(ctx context.Context) ([]byte, error) {
		if s.Name == "bd" {
			return w.bd(ctx, "version")
		}
		return w.runner.run(ctx, s.Name, "--version")
	})
	if err != nil {
		s.Reason = err.Error()
		return
	}
	if s.Version = versionIn(string(out)); s.Version == "" {
		s.Reason = errUnreadable(string(out)).Error()
	}
}

// versionIn returns the first number with points in what a program says.
func versionIn(said string) string {
	return strings.TrimRight(regexp.MustCompile(`\d+\.\d+[^\s(),]*`).FindString(said), ".")
}
