package lsp

import (
	"context"
	"slices"

	"tidepool/lsp/internal/text"
	"tidepool/lsp/internal/workspace"
)

// Mentions lists the source files of a language in which a name may stand as a whole word, be it in a comment, in the
// order of their paths: all in which it does, and those that are too large or too many to know their words.
func (v *View) Mentions(ctx context.Context, language, name string) ([]string, error) {
	at := slices.IndexFunc(v.wanted, func(s *workspace.Server) bool { return s.Language.ID == language })
	if at < 0 {
		return nil, nil
	}
	defer v.ask(v.wanted[at])()
	if _, err := v.session(ctx, v.wanted[at]); err != nil {
		return nil, err
	}
	return v.WrittenIn(language, name), nil
}

// WrittenIn is Mentions without its wait for the server: by the files that the tree had when it was looked at last.
func (v *View) WrittenIn(language, name string) []string {
	at := slices.IndexFunc(v.wanted, func(s *workspace.Server) bool { return s.Language.ID == language })
	if at < 0 {
		return nil
	}
	of := v.tree.Words(v.wanted[at].Language)
	return of.Index.Mentioning(name, of.Files)
}

// readWords reads, until ctx ends, which words the source files of a server's language mention, while that server reads them, too: most
// questions ask for that next. Read is closed once it is done.
func (v *View) readWords(ctx context.Context, s *workspace.Server) (read <-chan struct{}) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		of := v.tree.Words(s.Language)
		of.Index.Read(ctx, of.Files)
	}()
	return done
}

// mentioning returns the servers to ask for a name: those whose source files mention it, or all if none does, for a name
// that is only similar.
func (v *View) mentioning(query string) []*workspace.Server {
	if len(v.wanted) == 1 {
		return v.wanted
	}
	word := text.LastWord(query)
	of := slices.DeleteFunc(slices.Clone(v.wanted), func(s *workspace.Server) bool { return !v.tree.Mentions(s.Language, word) })
	if len(of) == 0 {
		return v.wanted
	}
	return of
}

// Warm reports whether a query for a name is answered without a wait for a server: each that it would ask runs, has loaded the
// project and has checked all changes. It starts none, and tells those that run of changes.
func (v *View) Warm(query string) bool {
	return !slices.ContainsFunc(v.mentioning(query), func(s *workspace.Server) bool {
		_, err := s.Now()
		return err != nil || s.UpToDate(v.part()) == nil
	})
}
