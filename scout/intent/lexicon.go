package intent

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed lexicon.txt
var lexiconText string

// A lexicon says which classes a word belongs to.
type lexicon struct {
	whole  map[string][]string // word to classes
	begins []stem
}

type stem struct{ text, class string }

// words is the lexicon of lexicon.txt. It is read, never written.
var words = sync.OnceValue(func() lexicon { return parseLexicon(lexiconText) })

func parseLexicon(text string) lexicon {
	l := lexicon{whole: make(map[string][]string)}
	for line := range strings.Lines(text) {
		class, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for _, word := range strings.Fields(list) {
			if begin, open := strings.CutSuffix(word, "*"); open {
				l.begins = append(l.begins, stem{begin, class})
			} else {
				l.whole[word] = append(l.whole[word], class)
			}
		}
	}
	return l
}

// classesOf returns the classes of a word, each once, in the order of the file.
func (l lexicon) classesOf(word string) []string {
	classes := slices.Clone(l.whole[word])
	for _, s := range l.begins {
		if strings.HasPrefix(word, s.text) && !slices.Contains(classes, s.class) {
			classes = append(classes, s.class)
		}
	}
	return classes
}
