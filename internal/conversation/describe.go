package conversation

import (
	"context"
	"strings"

	"tidepool/internal/conversation/store"
	"tidepool/internal/fulltext"
)

// Bounds of what a hit shows.
const (
	defaultSnippet = 300     // characters
	mostSnippet    = 4000    // characters
	mostFiles      = 20      // of a hit
	wholeScrub     = 1 << 18 // bytes: of a longer text only the snippet, and what is around it, is searched for secrets
)

// textsOf returns a function that reads the fields of a turn, in which phrases are looked for.
func (a *Archive) textsOf(ctx context.Context, s *store.Store) func(id uint32) []string {
	return func(id uint32) []string {
		turns, err := s.ByID(ctx, []uint32{id})
		if err != nil || len(turns) == 0 {
			return nil
		}
		return fieldsOf(&turns[0].Body)
	}
}

// describe reads the texts of hits. One that has been removed meanwhile is left out.
func (a *Archive) describe(ctx context.Context, s *store.Store, q *Query, r ranking) ([]Hit, error) {
	if len(r.hits) == 0 {
		return nil, nil
	}
	ids := make([]uint32, len(r.hits))
	for i, p := range r.hits {
		ids[i] = p.id
	}
	turns, err := s.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[uint32]*store.Turn, len(turns))
	for i := range turns {
		byID[turns[i].ID] = &turns[i]
	}
	hits := make([]Hit, 0, len(r.hits))
	for _, p := range r.hits {
		if turn := byID[p.id]; turn != nil && !turn.Forgotten {
			hits = append(hits, a.hit(q, p, turn, r.terms))
		}
	}
	return hits, nil
}

func (a *Archive) hit(q *Query, p placed, turn *store.Turn, terms []string) Hit {
	s := p.session
	return Hit{
		Session: s.SID, Title: a.clean(s.Title), Project: s.project, Cwd: s.Cwd, Branch: s.Branch,
		Turn: turn.Number, Score: p.score, At: turn.At, Snippet: a.snippet(&turn.Body, terms, q.MaxSnippet), Files: filesOf(&turn.Body),
		Abandoned: turn.Abandoned, Resumable: resumable(&s.Session), Subagent: s.Sidechain, More: p.more,
	}
}

// resumable reports whether Claude Code can continue a session. A second file of one id is none that it would find.
func resumable(s *store.Session) bool {
	return s.Live && !s.Sidechain && s.Source == "claude" && !strings.Contains(s.SID, ".")
}

// snippet returns the parts of a turn around the words: of the prompt, and of the answer or else of what its tools were asked for. A prompt is not what was
// asked for, so the beginning of the answer stands beside it if the words are in the prompt alone.
func (a *Archive) snippet(b *store.Body, terms []string, most int) Snippet {
	user, inUser := a.piece(b.User, terms, most)
	answer, inAnswer := a.piece(b.Answer, terms, most)
	if b.Answer == "" || !inUser && !inAnswer {
		if tools, inTools := a.piece(toolText(b), terms, most); b.Answer == "" || inTools {
			answer = tools
		}
	}
	return Snippet{User: user, Claude: answer}
}

// piece returns the part of a text around the words, and whether it has any.
func (a *Archive) piece(text string, terms []string, most int) (piece string, any bool) {
	if len(text) > wholeScrub {
		text, _ = fulltext.Snippet(text, terms, mostSnippet+most)
	}
	return fulltext.Snippet(a.clean(text), terms, most)
}

// clean replaces secrets that an older version of the scrubber has let pass.
func (a *Archive) clean(text string) string {
	clean, _ := a.scrub.Text(text)
	return clean
}

// filesOf returns the files that the tools of a turn named, each once.
func filesOf(b *store.Body) (files []string) {
	seen := map[string]bool{}
	for i := range b.Tools {
		if file := b.Tools[i].File; file != "" && !seen[file] && len(files) < mostFiles {
			seen[file] = true
			files = append(files, file)
		}
	}
	return files
}
