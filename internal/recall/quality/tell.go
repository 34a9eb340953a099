package quality

import (
	"slices"

	"tidepool/internal/recall/evidence"
)

// A Tally says what trials were told.
type Tally struct {
	Questions int
	Right     int // questions that were told a memory of a session with the answer
	Exact     int // and those that were told a memory with the answer itself
	Spoken    int // questions that were told anything
	Memories  int // that were told
	Silences  []Silence
}

// A Silence is how often prompts of one kind were told nothing.
type Silence struct {
	Kind            string
	Prompts, Silent int
}

// Share returns the share of the prompts that were told nothing, 0 if there were none.
func (s *Silence) Share() float64 { return share(s.Silent, s.Prompts) }

// RightShare returns the share of the questions that were told a memory of a session with the answer.
func (t *Tally) RightShare() float64 { return share(t.Right, t.Questions) }

// ExactShare returns the share of the questions that were told a memory with the answer.
func (t *Tally) ExactShare() float64 { return share(t.Exact, t.Questions) }

func share(n, of int) float64 { return float64(n) / float64(max(of, 1)) }

// Tell asks trials all their prompts.
func Tell(trials []Trial, c *evidence.Constants) (Tally, error) {
	var t Tally
	for i := range trials {
		if err := t.tell(&trials[i], c); err != nil {
			return t, err
		}
	}
	return t, nil
}

func (t *Tally) tell(trial *Trial, c *evidence.Constants) error {
	for _, q := range trial.Own {
		r, err := trial.Store.Rank(q.Text, nil, forPrompt, c)
		if err != nil {
			return err
		}
		t.count(trial.Store, &q, told(&r, c))
	}
	for _, s := range trial.Silent {
		of := t.silence(s.Kind)
		for _, prompt := range s.Prompts {
			r, err := trial.Store.Rank(prompt, s.Without, forPrompt, c)
			if err != nil {
				return err
			}
			of.Prompts++
			if len(told(&r, c)) == 0 {
				of.Silent++
			}
		}
	}
	return nil
}

func (t *Tally) count(s *Store, q *Question, told []uint32) {
	t.Questions++
	t.Memories += len(told)
	if len(told) > 0 {
		t.Spoken++
	}
	if slices.ContainsFunc(told, func(n uint32) bool { return s.answers(q, n) }) {
		t.Right++
	}
	if slices.ContainsFunc(told, q.exactly) {
		t.Exact++
	}
}

// silence returns the count of a kind.
func (t *Tally) silence(kind string) *Silence {
	i := slices.IndexFunc(t.Silences, func(s Silence) bool { return s.Kind == kind })
	if i < 0 {
		i, t.Silences = len(t.Silences), append(t.Silences, Silence{Kind: kind})
	}
	return &t.Silences[i]
}

// A Sample is the evidence for the best memory of a prompt.
type Sample struct {
	Kind  string // of silence; "": the store has the answer
	Z     evidence.Evidence
	Right bool // one of the three best memories has the answer
}

// Samples asks trials all their prompts. Prompts that no memory shares a word with are none: there is nothing to decide.
func Samples(trials []Trial, c *evidence.Constants) ([]Sample, error) {
	var all []Sample
	add := func(s *Store, q *Question, prompt string, kind string, without []string) error {
		r, err := s.Rank(prompt, without, forPrompt, c)
		if err != nil || len(r.Candidates) == 0 || r.Thin {
			return err
		}
		one := Sample{Kind: kind, Z: r.Candidates[0].Z}
		for _, candidate := range r.Candidates[:min(len(r.Candidates), maxTold)] {
			one.Right = one.Right || q != nil && s.answers(q, candidate.N)
		}
		all = append(all, one)
		return nil
	}
	for _, t := range trials {
		for _, q := range t.Own {
			if err := add(t.Store, &q, q.Text, "", nil); err != nil {
				return nil, err
			}
		}
		for _, s := range t.Silent {
			for _, prompt := range s.Prompts {
				if err := add(t.Store, nil, prompt, s.Kind, s.Without); err != nil {
					return nil, err
				}
			}
		}
	}
	return all, nil
}
