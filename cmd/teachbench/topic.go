package main

import (
	"cmp"
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"unicode"

	"tidepool/internal/golang/wasmtest"
)

const (
	topicsOfModule = 6
	leastTopics    = 3
	leastTests     = 2 // of a topic
	topicShare     = 3 // of so many tests at most one is of a topic
	mostSeeds      = 3
	mostText       = 400 // bytes of names and comments
	tellingCount   = 10  // functions that a topic is about
	seed           = 17  // decides which topics are drawn
)

// A topic is words about a part of a module, where to begin, and what it is about.
type topic struct {
	module  string
	tests   string // their file and the word that their names begin with
	text    string
	seeds   []*declaration
	telling []*declaration // the most telling first
}

func (t topic) seedNames() (names []string) {
	for _, s := range t.seeds {
		names = append(names, s.at.file+":"+s.name)
	}
	return names
}

// A testRun is a test and the places of what it ran and what it names.
type testRun struct {
	*test
	ran, mentions []place
}

// runTests runs each test of a module alone, and returns those that passed in the order of their places.
func (c *code) runTests(ctx context.Context) (all []testRun, err error) {
	byName := map[string]*test{}
	for _, t := range c.tests {
		byName[path.Dir(t.file)+":"+t.name] = t
	}
	each := func(r wasmtest.Result) {
		dir, _ := c.module.Below(r.Package)
		t := byName[dir+":"+r.Test]
		if !r.Passed || t == nil {
			return
		}
		run := testRun{test: t, mentions: c.mentions(t)}
		for _, f := range r.Ran {
			if file, ok := c.module.Below(f.File); ok {
				run.ran = append(run.ran, place{file, f.Line})
			}
		}
		all = append(all, run)
	}
	runner := &wasmtest.Runner{}
	err = runner.Run(ctx, c.module.Dir, nil, each, func(wasmtest.Failure) {}) // a test without a result is of no topic
	slices.SortFunc(all, func(a, b testRun) int {
		return cmp.Or(strings.Compare(a.file, b.file), strings.Compare(a.name, b.name))
	})
	return all, err
}

// mentions returns what a test names itself or by the functions of test files that it names.
func (c *code) mentions(t *test) []place {
	all := slices.Clone(t.names)
	for _, at := range t.helps {
		all = append(all, c.tests[at].names...)
	}
	return all
}

// counts is how many tests have a place among theirs.
type counts map[place]int

func (n counts) add(places []place) {
	seen := map[place]bool{}
	for _, at := range places {
		if !seen[at] {
			n[at]++
		}
		seen[at] = true
	}
}

// topics makes topics of tests, those whose names begin with the same word together.
func (c *code) topics(all []testRun) (topics []topic) {
	ran, mentions := counts{}, counts{}
	families := map[string][]testRun{}
	for _, t := range all {
		ran.add(t.ran)
		mentions.add(t.mentions)
		if words := split(strings.TrimPrefix(t.name, "Test")); strings.HasPrefix(t.name, "Test") && len(words) > 0 {
			key := t.file + ":" + strings.ToLower(words[0])
			families[key] = append(families[key], t)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(families)) {
		of := families[key]
		if len(of) < leastTests || len(of)*topicShare > len(all) {
			continue
		}
		t := topic{module: c.module.module, tests: key, text: textOf(of)}
		ranHere, mentionedHere := counts{}, counts{}
		for _, one := range of {
			ranHere.add(one.ran)
			mentionedHere.add(one.mentions)
		}
		size := size{len(of), len(all)}
		words := wordsOf(t.text)
		t.telling = c.most(ranHere, tellingCount, func(d *declaration) float64 { return size.tells(ranHere[d.at], ran[d.at]) })
		t.seeds = c.most(mentionedHere, mostSeeds, func(d *declaration) float64 {
			return size.tells(mentionedHere[d.at], mentions[d.at]) * float64(1+shared(wordsOf(d.name), words))
		})
		t.telling = slices.DeleteFunc(t.telling, func(d *declaration) bool { return 2*(ran[d.at]-ranHere[d.at]) > len(all)-len(of) })
		if len(t.seeds) > 0 && len(t.telling) == tellingCount {
			topics = append(topics, t)
		}
	}
	return topics
}

// textOf returns the words of tests' names, each once, and their comments.
func textOf(tests []testRun) string {
	var words, comments []string
	for _, t := range tests {
		for _, word := range split(strings.TrimPrefix(t.name, "Test")) {
			if !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
		if doc := strings.Join(strings.Fields(strings.ReplaceAll(t.doc, t.name, "")), " "); doc != "" {
			comments = append(comments, doc)
		}
	}
	text := strings.Join(append([]string{strings.Join(words, " ")}, comments...), ". ")
	return strings.ToValidUTF8(text[:min(len(text), mostText)], "")
}

// A size is how many tests a topic has, and how many there are.
type size struct{ here, all int }

// tells weighs what so many tests of a topic have, and so many of all.
func (s size) tells(here, all int) float64 {
	return float64(here) / float64(s.here) * math.Log(float64(1+s.all)/float64(1+all-here))
}

// most returns those declarations that weigh most; of equals the longest.
func (c *code) most(of counts, count int, weight func(*declaration) float64) []*declaration {
	var all []*declaration
	for at := range of {
		if d := c.declarations[at]; d != nil {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b *declaration) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), b.lines-a.lines, strings.Compare(a.at.file, b.at.file), a.at.line-b.at.line)
	})
	return all[:min(len(all), count)]
}

// draw returns so many topics, as likely one as the other, no two of which are about mostly the same.
func draw(all []topic, count int) (drawn []topic) {
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, t := range all {
		alike := slices.ContainsFunc(drawn, func(other topic) bool { return 2*len(common(t.telling, other.telling)) >= tellingCount })
		if len(drawn) < count && !alike {
			drawn = append(drawn, t)
		}
	}
	return drawn
}

func common(a, b []*declaration) (both []*declaration) {
	for _, d := range a {
		if slices.Contains(b, d) {
			both = append(both, d)
		}
	}
	return both
}

// wordsOf returns the words of a text, in lower case, those of names apart.
func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		for _, word := range split(field) {
			if len(word) > 2 {
				words[strings.TrimSuffix(strings.ToLower(word), "s")] = true
			}
		}
	}
	return words
}

// split returns the words of a name: "serveHTTPNow" has serve, HTTP, Now.
func split(name string) (words []string) {
	runes := []rune(name)
	start := 0
	for i := 1; i <= len(runes); i++ {
		ends := i == len(runes) || runes[i] == '_' || unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if ends {
			if word := strings.Trim(string(runes[start:i]), "_"); word != "" {
				words = append(words, word)
			}
			start = i
		}
	}
	return words
}

func shared(a, b map[string]bool) (n int) {
	for word := range a {
		if b[word] {
			n++
		}
	}
	return n
}
