package intent

import "strings"

// A feature is one thing that a question shows, and the tokens that show it.
type feature struct {
	name string
	from int // first token; -1: the symbol
	to   int // last token
}

// features lists what a question shows, each name once.
func features(list []token, class Class) []feature {
	e := extractor{list: list, seen: make(map[string]bool)}
	e.words()
	e.classes(class)
	if class != Unknown {
		e.add("subject "+string(class), -1, -1)
	}
	e.add("bias", -1, -1)
	return e.found
}

// An extractor collects the features of one question.
type extractor struct {
	list  []token
	found []feature
	seen  map[string]bool
}

func (e *extractor) add(name string, from, to int) {
	if !e.seen[name] {
		e.seen[name] = true
		e.found = append(e.found, feature{name, from, to})
	}
}

// words: each word, its beginning, and each with its neighbour.
func (e *extractor) words() {
	for i, t := range e.list {
		e.add("word "+t.word, i, i)
		if runes := []rune(t.word); len(runes) > stemLength && !strings.HasPrefix(t.word, "§") {
			e.add("stem "+string(runes[:stemLength]), i, i)
		}
		if i > 0 && !e.list[i-1].stops {
			e.add("pair "+e.list[i-1].word+" "+t.word, i-1, i)
		}
	}
}

const stemLength = 4

// classes: each class of the lexicon, alone, with the symbol's class, and with
// the classes of the words that follow within reach.
func (e *extractor) classes(subject Class) {
	lexicon := words()
	of := make([][]string, len(e.list))
	for i, t := range e.list {
		if of[i] = lexicon.classesOf(t.word); strings.HasPrefix(t.word, "§") {
			of[i] = append(of[i], t.word)
		}
		for _, c := range of[i] {
			e.add("class "+c, i, i)
			if subject != Unknown {
				e.add("class "+c+" of "+string(subject), i, i)
			}
		}
	}
	for i := range e.list {
		if i+1 < len(e.list) && !e.list[i].stops {
			for _, a := range of[i] {
				for _, b := range of[i+1] {
					e.add("class "+a+" + "+b, i, i+1)
				}
			}
		}
		for j := i + 1; j < min(len(e.list), i+reach) && !e.list[j-1].stops; j++ {
			for _, a := range of[i] {
				for _, b := range of[j] {
					e.add("class "+a+" .. "+b, i, j)
				}
			}
		}
	}
}

// reach is how many words on, of one phrase, two classes are seen together.
const reach = 6
