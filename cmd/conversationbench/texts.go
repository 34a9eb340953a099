package main

import (
	"bufio"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"tidepool/internal/transcript"
)

// turnsOf yields the turns of all transcripts of a corpus, a file after the other, from the n-th file of every step files.
func (c *corpus) turnsOf(step int) iter.Seq2[transcript.Turn, error] {
	return func(yield func(transcript.Turn, error) bool) {
		n := 0
		err := filepath.WalkDir(c.projects(), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			if n++; n%step != 0 {
				return nil
			}
			turns, err := readTurns(path)
			for _, t := range turns {
				if !yield(t, nil) {
					return fs.SkipAll
				}
			}
			return err
		})
		if err != nil {
			yield(transcript.Turn{}, err)
		}
	}
}

// readTurns returns the turns of one transcript.
func readTurns(path string) ([]transcript.Turn, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := transcript.NewReader(transcript.Sources()[0], strings.TrimSuffix(filepath.Base(path), ".jsonl"))
	in, at := bufio.NewScanner(f), int64(0)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		r.Line(at, in.Bytes())
		at += int64(len(in.Bytes())) + 1
	}
	return r.Take(), in.Err()
}

// queries returns what people might type: two to four words of a turn, frequent ones among them.
func (c *corpus) queries(n int) ([]string, error) {
	random := rand.New(rand.NewPCG(seed, 7))
	var all []string
	for turn, err := range c.turnsOf(max(1, c.Sessions/n)) {
		if err != nil {
			return nil, err
		}
		words := strings.Fields(turn.User + " " + turn.Answer)
		if len(words) < 8 {
			continue
		}
		picked := make([]string, 2+random.IntN(3))
		for i := range picked {
			picked[i] = strings.Trim(words[random.IntN(len(words))], "`.,:;()\"")
		}
		if all = append(all, strings.Join(picked, " ")); len(all) == n {
			break
		}
	}
	return all, nil
}
