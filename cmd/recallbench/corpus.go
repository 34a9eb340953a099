package main

import (
	"encoding/json"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"tidepool/internal/recall/memory"
	"tidepool/internal/transcript"
	"tidepool/internal/transcript/transcripttest"
	"tidepool/internal/wording"
)

// seed gives the same memories in every run.
const seed = 14

// A corpus is generated memories, and the directory in which they are kept.
type corpus struct {
	Dir      string
	Memories int
	Prompts  int // that are asked
}

// save writes what a step needs to know of the corpus into its directory.
func (c *corpus) save() error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(c.Dir, "corpus.json"), data, 0o600)
}

// openCorpus returns what save has written.
func openCorpus(dir string) (*corpus, error) {
	data, err := os.ReadFile(filepath.Join(dir, "corpus.json"))
	if err != nil {
		return nil, err
	}
	c := new(corpus)
	return c, json.Unmarshal(data, c)
}

// drafts returns n memories of one project: sessions of some ten turns, each turn of which is a memory of about 100 words by
// Zipf's law.
func drafts(n int) iter.Seq[memory.Draft] {
	kinds := []memory.Kind{memory.Note, memory.Fix, memory.Decision, memory.Command}
	return func(yield func(memory.Draft) bool) {
		for s := range transcripttest.Archive(seed, n, "/home/dev/shop") {
			for i, turn := range transcripttest.Generate(s.Seed, s.Options).Want {
				draft := memory.Draft{
					Kind: kinds[i%len(kinds)], Trust: memory.Saved, Gist: wording.Line(turn.User, memory.MaxGist), Content: textOf(turn),
					Session: s.Options.Session, Turn: i, Source: "bench", At: s.Options.Start,
				}
				if n--; n < 0 || !yield(draft) {
					return
				}
			}
		}
	}
}

func textOf(turn transcript.Turn) string {
	return wording.Clip(turn.User+"\n"+turn.Answer, memory.MaxContent)
}

// promptSize is how long a prompt is, in bytes.
const promptSize = 2 << 10

// prompts returns n prompts of about 2 KB: sentences of other sessions, and in every second prompt those of a memory, too.
func prompts(n, memories int) []string {
	random := rand.New(rand.NewPCG(seed, 7))
	known := map[int]string{}
	for i, draft := range enumerate(drafts(memories)) {
		if i%(1+memories/n) == 0 {
			known[len(known)] = draft.Content
		}
	}
	var all []string
	for s := range transcripttest.Archive(seed+1, 40*n, "/home/dev/shop") {
		var text strings.Builder
		if len(all)%2 == 1 {
			text.WriteString(known[random.IntN(len(known))])
		}
		for _, turn := range transcripttest.Generate(s.Seed, s.Options).Want {
			text.WriteString("\n" + textOf(turn))
		}
		if text.Len() < promptSize {
			continue
		}
		if all = append(all, wording.ClipBytes(text.String(), promptSize)); len(all) == n {
			break
		}
	}
	return all
}

func enumerate[T any](from iter.Seq[T]) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		i := 0
		for v := range from {
			if !yield(i, v) {
				return
			}
			i++
		}
	}
}
