package journal

import (
	"context"
	"fmt"
	"strings"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

// The conditions of a value.
const (
	enough      = 3      // experiences that agree
	enoughWorth = 2.4    // of what they are worth together: three that the agent reported
	shared      = 1. / 3 // of what the rare words of the shorter text tell
	mostJudged  = 500    // entries that are read, the newest; judging by them takes some 40 ms (go test -bench Judge)
	mostNear    = 50     // of one domain about a text, the newest; each is compared with each
	fewWords    = 3      // rare ones; below, a text says too little to agree with
	rare        = 4.5    // −ln of the share of sentences: one in ninety
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

// Judge says whether a text is a value of the project: whether at least three resolved entries of one domain share a third of
// their rare words with it and with each other, and are worth enough.
func (j *Journal) Judge(ctx context.Context, text string) (Judgement, error) {
	entries, err := j.List(ctx, Query{Limit: mostJudged})
	if err != nil {
		return Judgement{}, err
	}
	return judge(text, entries), nil
}

// judge is Judge among entries, the newest first.
func judge(text string, entries []Entry) Judgement {
	v := newVocabulary()
	words := v.words(text)
	if len(words) < fewWords {
		return Judgement{Why: fmt.Sprintf("the text has %s, at least %d are needed", wording.Count(len(words), "rare word"), fewWords)}
	}
	near, nearest := map[string][]related{}, 0.0
	for _, e := range entries {
		r := related{entry: e, words: v.words(e.text())}
		similar := overlap(words, r.words)
		nearest = max(nearest, similar)
		if similar >= shared && len(near[e.Domain]) < mostNear {
			near[e.Domain] = append(near[e.Domain], r)
		}
	}
	best := Judgement{Why: "no experience of this project is about it"}
	for _, domain := range Domains() {
		if found := judgeIn(domain, near[domain]); found.Worth > best.Worth {
			best = found
		}
	}
	best.Similarity = nearest
	return best
}

// judgeIn judges by the entries of one domain that are about the text.
func judgeIn(domain string, near []related) Judgement {
	j := Judgement{Domain: domain}
	for _, r := range agreeing(near) {
		j.Support = append(j.Support, r.entry.ID)
		j.Worth += r.entry.Tier.worth()
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

// A related entry is about a value.
type related struct {
	entry Entry
	words wordSet
}

// agreeing returns the largest group of entries around one of them that share a third of their rare words with it.
func agreeing(near []related) []related {
	var best []related
	for _, centre := range near {
		var group []related
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

// A wordSet has the rare words of a text, and how rare each is.
type wordSet map[string]float64

// overlap returns how much of what the words of the smaller set tell both have, from 0 to 1.
func overlap(a, b wordSet) float64 {
	both := 0.0
	for word, rarity := range a {
		if _, ok := b[word]; ok {
			both += rarity
		}
	}
	least := min(a.sum(), b.sum())
	if least == 0 {
		return 0
	}
	return both / least
}

func (s wordSet) sum() (sum float64) {
	for _, rarity := range s {
		sum += rarity
	}
	return sum
}

// A vocabulary knows how rare words are, each once.
type vocabulary struct {
	rarities map[string]float64 // 0: it tells nothing
}

// newVocabulary returns one for which the names of an experience's parts tell nothing, rare as they are.
func newVocabulary() vocabulary {
	v := vocabulary{map[string]float64{}}
	for _, word := range fulltext.Words("goal hypothesis action prediction outcome surprise root cause what worked lesson confirmed falsified abandoned " + strings.Join(Causes(), " ")) {
		v.rarities[word] = 0
	}
	return v
}

// words returns the rare words of a text.
func (v vocabulary) words(text string) wordSet {
	words := wordSet{}
	for _, word := range fulltext.Words(text) {
		rarity, known := v.rarities[word]
		if !known {
			if rarity = evidence.Rarity(word); rarity < rare {
				rarity = 0
			}
			v.rarities[word] = rarity
		}
		if rarity > 0 {
			words[word] = rarity
		}
	}
	return words
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
