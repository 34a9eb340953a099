package journal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

// What makes a value.
const (
	enough      = 3      // experiences that agree
	enoughWorth = 2.4    // of what they are worth together: three that the agent reported
	shared      = 1. / 3 // of the words of the shorter text
	mostJudged  = 1000   // entries that are read, the newest
	fewWords    = 3      // below, a text says too little to agree with
)

// A Judgement says whether experiences support a value.
type Judgement struct {
	Valid      bool
	Similarity float64  // of the text and the nearest experience, from 0 to 1
	Domain     string   // of the experiences that support it, or come nearest to it; "": none does
	Support    []string // ids of the entries that agree with the text and with each other, the newest first
	Worth      float64  // of those: gold counts 1, silver 0.8, bronze 0.5, abandoned 0.2
	Why        string   // one sentence
}

// Judge says whether a text is a value of the project: whether at least three resolved entries of one domain share a third of their words
// with it and with each other, and are worth enough.
func (j *Journal) Judge(ctx context.Context, text string) (Judgement, error) {
	entries, err := j.List(ctx, Query{Limit: mostJudged})
	if err != nil {
		return Judgement{}, err
	}
	return judge(text, entries), nil
}

// judge is Judge among entries, the newest first.
func judge(text string, entries []Entry) Judgement {
	words := wordsOf(text)
	if len(words) < fewWords {
		return Judgement{Why: fmt.Sprintf("the text has %s that tell something, at least %d are needed", wording.Count(len(words), "word"), fewWords)}
	}
	best := Judgement{Why: "no experience of this project is about it"}
	for _, domain := range Domains() {
		if found := judgeIn(domain, words, entries); found.Worth > best.Worth || best.Domain == "" && found.Domain != "" {
			best = found
		}
	}
	return best
}

// judgeIn judges by the entries of one domain.
func judgeIn(domain string, words map[string]bool, entries []Entry) Judgement {
	var near []witness
	nearest := 0.0
	for _, e := range entries {
		if e.Domain != domain || e.Outcome == nil {
			continue
		}
		w := witness{entry: e, words: wordsOf(e.text())}
		similar := overlap(words, w.words)
		nearest = max(nearest, similar)
		if similar >= shared {
			near = append(near, w)
		}
	}
	if len(near) == 0 {
		return Judgement{Similarity: nearest, Why: "no experience of this project is about it"}
	}
	j := Judgement{Similarity: nearest, Domain: domain}
	for _, w := range agreeing(near) {
		j.Support = append(j.Support, w.entry.ID)
		j.Worth += w.entry.Tier.worth()
	}
	j.conclude(len(near))
	return j
}

// conclude decides, of so many experiences that are about the text.
func (j *Judgement) conclude(about int) {
	agree := len(j.Support)
	j.Valid = agree >= enough && j.Worth >= enoughWorth
	switch {
	case j.Valid:
		j.Why = fmt.Sprintf("%s of %s agree, worth %.1f", wording.Count(agree, "experience"), j.Domain, j.Worth)
	case agree >= enough:
		j.Why = fmt.Sprintf("%s of %s agree, but are worth %.1f, and %.1f is needed: too many were abandoned", wording.Count(agree, "experience"), j.Domain, j.Worth, enoughWorth)
	default:
		j.Why = fmt.Sprintf("%s of %s on it, of which %d agree with each other; %d must agree", wording.Count(about, "experience"), j.Domain, agree, enough)
	}
}

// A witness is an entry that is about a value.
type witness struct {
	entry Entry
	words map[string]bool
}

// agreeing returns the largest group of witnesses around one of them that share a third of their words with it.
func agreeing(near []witness) []witness {
	var best []witness
	for _, centre := range near {
		var group []witness
		for _, w := range near {
			if overlap(centre.words, w.words) >= shared {
				group = append(group, w)
			}
		}
		if len(group) > len(best) {
			best = group
		}
	}
	return best
}

// worth returns how much an experience counts.
func (t Tier) worth() float64 {
	switch t {
	case Gold:
		return 1
	case Silver:
		return 0.8
	case Bronze:
		return 0.5
	case AbandonedTier:
		return 0.2
	}
	return 0
}

// overlap returns how much of the smaller set both have.
func overlap(a, b map[string]bool) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	both := 0
	for word := range a {
		if b[word] {
			both++
		}
	}
	return float64(both) / float64(len(a))
}

// wordsOf returns the words of a text that tell something: not those that every entry has.
func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, word := range fulltext.Words(text) {
		words[word] = true
	}
	for _, word := range fulltext.Words(strings.Join(slices.Concat(Domains(), Strategies(), Causes(), frameWords()), " ")) {
		delete(words, word)
	}
	return words
}

// frameWords are those of every experience: its parts, how it can end, and what is done in all of them.
func frameWords() []string {
	return []string{
		"goal hypothesis action prediction outcome surprise root cause what worked lesson confirmed falsified abandoned",
		"test tests pass passed fail failed failure error fix fixed bug code change changed use add always never before after first run",
	}
}

// learned returns the draft of a value that a resolved entry completes: its lesson, if with it enough experiences agree. ok is false if
// they do not.
func (j *Journal) learned(ctx context.Context, e *Entry) (d memory.Draft, ok bool) {
	if e.Lesson == nil || e.Lesson.Takeaway == "" {
		return d, false
	}
	found, err := j.Judge(ctx, e.Lesson.Takeaway)
	if err != nil || !found.Valid {
		return d, false
	}
	return found.Draft(e.Lesson.Takeaway, e.Session), true
}

// Draft returns a valid value as a memory. Its tags are its domain and the entries that support it.
func (v Judgement) Draft(text, session string) memory.Draft {
	d := memory.Draft{Kind: memory.Value, Trust: memory.Observed, Content: text, Session: session, Source: "experiences", Tags: []string{"domain:" + v.Domain}}
	for _, id := range v.Support[:min(len(v.Support), 8)] {
		d.Tags = append(d.Tags, "ghap:"+id)
	}
	return d
}
