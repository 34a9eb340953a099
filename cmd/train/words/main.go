// Command words counts in how many sentences of general and programming English each word stands, and writes the table of package
// evidence. It is run in the root of the repository.
//
// General English are the definitions and examples of WordNet 3.0, which Debian has as wordnet-base; programming English are the comments
// of Go's own sources, those of the go command that runs this. Words are terms of package fulltext. A word that stands in fewer than three
// sentences, or is not of letters alone, is left out: it is as rare as one that the table does not have.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/fulltext"
)

const (
	table = "internal/recall/evidence/words.txt"
	least = 3  // sentences with a word
	most  = 24 // bytes of a word: longer ones are names of one program
)

func main() {
	wordnet := flag.String("wordnet", "/usr/share/wordnet", "directory with the data files of WordNet")
	flag.Parse()
	if err := run(*wordnet); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(wordnet string) error {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("asking go for its sources: %w", err)
	}
	c := counter{cutter: fulltext.NewCutter(), in: map[string]int{}}
	if err := glosses(wordnet, c.count); err != nil {
		return err
	}
	general := c.sentences
	if err := comments(filepath.Join(strings.TrimSpace(string(goroot)), "src"), c.count); err != nil {
		return err
	}
	fmt.Printf("%d sentences of WordNet, %d of Go's comments\n", general, c.sentences-general)
	return c.write(table)
}

// A counter counts sentences by their words.
type counter struct {
	cutter    *fulltext.Cutter
	in        map[string]int
	sentences int
}

func (c *counter) count(sentence string) {
	seen := map[string]bool{}
	c.cutter.Each(sentence, func(term []byte) { seen[string(term)] = true })
	if len(seen) == 0 {
		return
	}
	c.sentences++
	for term := range seen {
		c.in[term]++
	}
}

// write writes the table: the notice of WordNet, the number of sentences, and the words by their bytes.
func (c *counter) write(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	for line := range strings.Lines(notice) {
		fmt.Fprint(w, "# ", line)
	}
	fmt.Fprintf(w, "#sentences %d\n", c.sentences)
	var words []string
	for word, n := range c.in {
		if n >= least && len(word) <= most && isLetters(word) {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	for _, word := range words {
		fmt.Fprintln(w, word, c.in[word])
	}
	fmt.Printf("%d words\n", len(words))
	if err := w.Flush(); err != nil {
		return err
	}
	return file.Close()
}

func isLetters(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' })
}

// notice stands on every copy of what is made from WordNet, as its licence asks.
const notice = `In how many sentences each word stands. go run ./cmd/train/words writes this file.

It is made from the definitions and examples of WordNet and from the comments of Go's sources (the licence of Go, BSD).
WordNet's licence:

This software and database is being provided to you, the LICENSEE, by Princeton University under the following license.
By obtaining, using and/or copying this software and database, you agree that you have read, understood, and will comply
with these terms and conditions.:

Permission to use, copy, modify and distribute this software and database and its documentation for any purpose and
without fee or royalty is hereby granted, provided that you agree to comply with the following copyright notice and
statements, including the disclaimer, and that the same appear on ALL copies of the software, database and documentation,
including modifications that you make for internal use or for distribution.

WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.

THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES, EXPRESS OR
IMPLIED.  BY WAY OF EXAMPLE, BUT NOT LIMITATION, PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES OF
MERCHANTABILITY OR FITNESS FOR ANY PARTICULAR PURPOSE OR THAT THE USE OF THE LICENSED SOFTWARE, DATABASE OR DOCUMENTATION
WILL NOT INFRINGE ANY THIRD PARTY PATENTS, COPYRIGHTS, TRADEMARKS OR OTHER RIGHTS.

The name of Princeton University or Princeton may not be used in advertising or publicity pertaining to distribution of
the software and/or database.  Title to copyright in this software, database and any associated documentation shall at all
times remain with Princeton University and LICENSEE agrees to preserve same.
`
