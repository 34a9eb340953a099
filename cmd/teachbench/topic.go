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
	hidden  []*test        // those of its tests that say what it is about; teach-graph does not see them
	telling []*declaration // the most telling first
	equal   []*declaration // others that tell as much as the last of them
	sure    int            // so many of telling tell more than the last
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

// countsOf counts what tests ran and what they name.
func countsOf(tests []testRun) (ran, mentions counts) {
	ran, mentions = counts{}, counts{}
	for _, t := range tests {
		ran.add(t.ran)
		mentions.add(t.mentions)
	}
	return ran, mentions
}

// topics makes topics of tests, those whose names begin with the same word together.
func (c *code) topics(all []testRun) (topics []topic) {
	ran, mentions := countsOf(all)
	families := map[string][]testRun{}
	for _, t := range all {
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
		if t := c.topic(key, of, len(all)-len(of), ran, mentions); len(t.seeds) > 0 && len(t.telling) == tellingCount {
			topics = append(topics, t)
		}
	}
	return topics
}

// topic makes a topic of a family of tests, beside which there are so many others: every second one is hidden and says what it is
// about. The counts are those of all tests.
func (c *code) topic(key string, family []testRun, others int, ran, mentions counts) topic {
	var hidden []testRun
	t := topic{module: c.module.module, tests: key}
	for i := 0; i < len(family); i += 2 {
		hidden, t.hidden = append(hidden, family[i]), append(t.hidden, family[i].test)
	}
	t.text = textOf(hidden)
	words := wordsOf(t.text)
	ranHere, mentionedHere := countsOf(hidden)
	ranOfFamily, mentionedOfFamily := countsOf(family)
	weight := func(d *declaration) float64 {
		return tells(ranHere[d.at], len(hidden), ran[d.at]-ranOfFamily[d.at], others)
	}
	rarely := counts{}
	for at, here := range ranHere {
		if 2*(ran[at]-ranOfFamily[at]) <= others {
			rarely[at] = here
		}
	}
	t.tell(c.most(rarely, weight), weight)
	seeds := c.most(mentionedHere, func(d *declaration) float64 {
		telling := tells(mentionedHere[d.at], len(hidden), mentions[d.at]-mentionedOfFamily[d.at], others)
		return telling * float64(1+shared(wordsOf(d.name), words))
	})
	t.seeds = seeds[:min(len(seeds), mostSeeds)]
	return t
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

// tells weighs what so many of the tests of a topic have, and so many of the others.
func tells(here, ofTopic, elsewhere, ofOthers int) float64 {
	return float64(here) / float64(ofTopic) * math.Log(float64(1+ofOthers)/float64(1+elsewhere))
}

// tell sets what a topic is about, of declarations in the order of what they tell.
func (t *topic) tell(all []*declaration, weight func(*declaration) float64) {
	if len(all) < tellingCount {
		return
	}
	last := weight(all[tellingCount-1])
	t.telling = all[:tellingCount]
	t.sure = slices.IndexFunc(all, func(d *declaration) bool { return weight(d) == last })
	for _, d := range all[tellingCount:] {
		if weight(d) == last {
			t.equal = append(t.equal, d)
		}
	}
}

// most returns declarations, those first that weigh most; of equals the longest.
func (c *code) most(of counts, weight func(*declaration) float64) []*declaration {
	var all []*declaration
	for at := range of {
		if d := c.declarations[at]; d != nil {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b *declaration) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), b.lines-a.lines, strings.Compare(a.at.file, b.at.file), a.at.line-b.at.line)
	})
	return all
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
