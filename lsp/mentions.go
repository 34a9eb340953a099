package lsp

import (
	"context"
	"slices"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// Mentions lists the source files of a language in which a name may stand as a whole word, be it in a comment, in the
// order of their paths: all in which it does, and those that are too large or too many to know their words.
func (v *View) Mentions(ctx context.Context, language, name string) ([]string, error) {
	at := slices.IndexFunc(v.wanted, func(s *server) bool { return s.language.ID == language })
	if at < 0 {
		return nil, nil
	}
	defer v.ask(v.wanted[at])()
	if _, err := v.session(ctx, v.wanted[at]); err != nil {
		return nil, err
	}
	of := v.tree.words(v.wanted[at].language)
	return of.Index.Mentioning(name, of.Files), nil
}

// mentioning returns the servers to ask for a name: those whose source files mention it, or all if none does, for a name
// that is only similar.
func (v *View) mentioning(query string) []*server {
	if len(v.wanted) == 1 {
		return v.wanted
	}
	word := text.LastWord(query)
	of := slices.DeleteFunc(slices.Clone(v.wanted), func(s *server) bool { return !v.tree.mentions(s.language, word) })
	if len(of) == 0 {
		return v.wanted
	}
	return of
}

// mentions reports whether a source file of the language may mention word.
func (t *tree) mentions(language *Language, word string) bool {
	of := t.words(language)
	return of.Index.MayMention(word, of.Files)
}

// words returns those of a language's source files as of the last walk.
func (t *tree) words(language *Language) session.Words {
	t.mu.Lock()
	defer t.mu.Unlock()
	index := t.indexes[language.ID]
	if index == nil {
		index = text.NewIndex()
		t.indexes[language.ID] = index
	}
	return session.Words{Index: index, Files: t.contents[language.ID].sources}
}
