package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"tidepool/internal/transcript/transcripttest"
)

// A corpus is the generated transcripts of one project, in a directory as Claude Code has one.
type corpus struct {
	Dir      string // holds projects/, the checkout and the state directory
	Turns    int
	Sessions int
	Bytes    int64
	Week     int // sessions of the last seven days
}

// seed gives the same transcripts in every run.
const seed = 13

// checkout is the project's directory, which the records name.
func (c *corpus) checkout() string { return filepath.Join(c.Dir, "checkout") }

// projects is Claude Code's directory of transcripts.
func (c *corpus) projects() string { return filepath.Join(c.Dir, "claude", "projects") }

// state is where the archive is kept.
func (c *corpus) state() string { return filepath.Join(c.Dir, "state") }

// generate writes so many turns into a new directory. The sessions are an hour apart, and the last one is an hour old: files
// have the times of their sessions, so that the archive knows which are new.
func generate(dir string, turns int) (*corpus, error) {
	c := &corpus{Dir: dir, Turns: turns}
	if err := os.MkdirAll(c.checkout(), 0o700); err != nil {
		return nil, err
	}
	for range transcripttest.Archive(seed, turns, c.checkout()) {
		c.Sessions++
	}
	now, n := time.Now(), 0
	for s := range transcripttest.Archive(seed, turns, c.checkout()) {
		age := time.Duration(c.Sessions-n) * time.Hour
		n++
		if age <= 7*24*time.Hour {
			c.Week++
		}
		s.Options.Start = now.Add(-age)
		size, err := writeSession(filepath.Join(c.projects(), filepath.FromSlash(s.Path)), s)
		if err != nil {
			return nil, err
		}
		c.Bytes += size
	}
	return c, c.save()
}

// writeSession writes one transcript.
func writeSession(path string, s transcripttest.Session) (int64, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	size, err := transcripttest.Write(out, s.Seed, s.Options)
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = os.Chtimes(path, s.Options.Start, s.Options.Start)
	}
	return size, err
}

// save writes what a step needs to know of the corpus beside it.
func (c *corpus) save() error {
	data, err := json.Marshal(c)
	if err != nil {
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
