package workspace

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
)

// A Trust says what of a project may be run. It is asked often and answers from a few files.
type Trust interface {
	// Trusted says whether the user has allowed what the project around a directory brings along to run.
	Trusted(dir string) bool
	// Own says whether the user has put there all that lies in a directory, so that none of it came with a project.
	Own(dir string) bool
}

// trustChanged is why a session was ended that ran under another trust. Callers do as after any other rest.
type trustChanged struct{}

func (trustChanged) Error() string        { return "the trust in the project has changed; ask again" }
func (trustChanged) Is(target error) bool { return target == errResting }

// trusts reports whether what is around a directory may run.
func (w *Workspace) trusts(dir string) bool { return w.trust == nil || w.trust.Trusted(dir) }

// owns reports whether the user has put there all that lies in a directory.
func (w *Workspace) owns(dir string) bool { return w.trust == nil || w.trust.Own(dir) }

// trusted reports whether everything that the server serves may run. One process serves several roots: one of them that is
// not trusted, such as another repository in the project's directory, counts for all.
func (s *Server) trusted() bool {
	roots := s.roots()
	for _, t := range s.Trees() {
		roots = append(roots, t.Root)
	}
	slices.Sort(roots)
	return !slices.ContainsFunc(slices.Compact(roots), func(dir string) bool { return !s.workspace.trusts(dir) })
}

// find finds the program, or says why it must not start. Where the project is not trusted, it is none that came with it.
func (s *Server) find() (path string, err error) {
	if s.trusted() {
		return s.Language.Find(s.workspace.Main.Root, s.workspace.env)
	}
	if s.Language.Restrain != nil {
		if _, err := s.Language.Restrain(s.launch()); err != nil {
			return "", err
		}
	}
	path, err = s.Language.Find(s.workspace.Main.Root, s.installed())
	named := strings.ContainsRune(s.Language.Command[0], filepath.Separator) // by a person: a project's settings do not count
	if err == nil && !named && !s.mayRun(path) {
		return "", &session.UntrustedError{Command: s.Language.Program(), Why: path + " lies in the project"}
	}
	return path, err
}

// installed returns the environment of the servers with a PATH that leads to nothing which came with the project: package managers
// put directories of the project on it.
func (s *Server) installed() []string {
	var kept []string
	for _, dir := range filepath.SplitList(session.Getenv(s.workspace.env, "PATH")) {
		if filepath.IsAbs(dir) && s.mayRun(filepath.Join(dir, "any")) {
			kept = append(kept, dir)
		}
	}
	return append(slices.Clone(s.workspace.env), "PATH="+strings.Join(kept, string(filepath.ListSeparator)))
}

// mayRun says of a program whether it lies outside of the project, or in a directory that the user has filled.
func (s *Server) mayRun(path string) bool {
	direct := path
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		direct = filepath.Join(dir, filepath.Base(path))
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		direct = target
	}
	for _, t := range s.Trees() {
		for _, path := range []string{path, direct} {
			if disk.Inside(t.Root, path) && !s.workspace.owns(filepath.Dir(path)) {
				return false
			}
		}
	}
	return true
}

// outgrown reports whether the session runs what is not trusted any more. Callers hold the server's mu.
func (s *Server) outgrown(live *session.Session) bool {
	return s.Language.Restrain != nil && live.Trusted && !s.trusted()
}

// TrustChanged has the servers run as the project's trust is now: those for which it matters are ended and started again.
// It returns at once.
func (w *Workspace) TrustChanged() {
	for _, s := range w.Servers() {
		if s.Language.Restrain != nil {
			s.retrust()
		}
	}
}

func (s *Server) retrust() {
	now := s.trusted()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch live := s.session; {
	case s.closed:
	case s.attempt != nil: // it may have looked before
		start := s.attempt
		s.workspace.running.Go(func() {
			select {
			case <-start.done:
				s.retrust()
			case <-s.workspace.ctx.Done():
			}
		})
	case live != nil && live.Trusted != now:
		s.part(live)
		if s.drafts == nil {
			s.startLocked() // what goes wrong shows in the next View
		}
	case live == nil && s.state == Untrusted:
		s.enter(Idle, nil)
		if s.drafts == nil {
			s.startLocked()
		}
	}
}

// part ends a session that was begun under another trust. Callers hold mu.
func (s *Server) part(live *session.Session) {
	s.enter(Idle, nil)
	s.retire(live, trustChanged{}, "restarted: the trust in the project has changed")
}

// Held lists, for people, what does not run because the project is not trusted, as far as the language servers that it wants
// are concerned, and the ids of its languages. Both are nil while the project's directory has not been walked for the first
// time, for which it waits until ctx ends.
func (w *Workspace) Held(ctx context.Context) (held, languages []string) {
	select {
	case <-w.walked:
	default:
		select {
		case <-w.walked:
		case <-ctx.Done():
			return nil, nil
		}
	}
	for _, s := range w.Main.Wanted() {
		languages = append(languages, s.Language.ID)
		if s.Language.Restrain == nil || s.trusted() {
			continue
		}
		r, err := s.Language.Restrain(s.launch())
		if err != nil {
			r.Held = filepath.Base(s.Language.Command[0])
		}
		if r.Held != "" {
			held = append(held, r.Held)
		}
	}
	return held, languages
}
