package tools

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/gopackage"
)

// A goTest is a test that may run a function.
type goTest struct {
	fn       *gopackage.Function
	chance   float64 // that it does, estimated
	depth    int     // calls between them, at least
	size     int
	features [features]float64
}

// goTestName reports whether go test runs a function of a test file by its name, and fails if it does.
func goTestName(name string) bool {
	for _, prefix := range []string{"Test", "Example", "Fuzz"} {
		if strings.HasPrefix(name, prefix) && name != "TestMain" {
			return true
		}
	}
	return false
}

// A goNode is a declaration that runs others: a function, a variable that is made of them, a method of an interface, a
// type.
type goNode struct {
	fn   *gopackage.Function // nil for types and methods of interfaces
	ways []goWay
	from []int32
}

// A goWay is one way from a declaration to what it may run.
type goWay struct {
	to     int32
	chance float32
	gate   int32 // the type that values must have been made of; -1: none
}

// A goCalls is a graph of what runs what.
type goCalls struct {
	nodes []goNode
	ids   map[gopackage.Place]int32
}

const (
	chanceTaken   = 0.6
	chanceRead    = 0.9
	chanceOutside = 0.4
)

func (c *goCalls) id(place gopackage.Place) int32 {
	id, ok := c.ids[place]
	if !ok {
		id = int32(len(c.nodes))
		c.ids[place] = id
		c.nodes = append(c.nodes, goNode{})
	}
	return id
}

func (c *goCalls) link(from, to gopackage.Place, chance float64, gate int32) {
	if from == to || to == (gopackage.Place{}) || from == (gopackage.Place{}) {
		return
	}
	a, b := c.id(from), c.id(to)
	c.nodes[a].ways = append(c.nodes[a].ways, goWay{b, float32(chance), gate})
	c.nodes[b].from = append(c.nodes[b].from, a)
}

// calls links declarations: functions with what they use, methods of interfaces with those that implement them, types
// with the methods that code outside of the tree may call.
func (f *goFacts) calls() *goCalls {
	c := &goCalls{ids: make(map[gopackage.Place]int32)}
	for _, fn := range f.functions {
		c.nodes[c.id(fn.At)].fn = fn
		for _, u := range fn.Uses {
			chance := float64(u.Chance)
			switch u.Kind {
			case gopackage.Taken:
				chance *= chanceTaken
			case gopackage.Read:
				chance *= chanceRead
			}
			c.link(fn.At, u.To, chance, -1)
		}
	}
	interfaces, types := f.sortedTypes()
	for _, i := range interfaces {
		for _, t := range types {
			if gopackage.Satisfies(t.Methods, i.Methods) {
				for _, m := range i.Methods {
					c.link(m.At, methodAt(t.Methods, m.Name), 1, c.id(t.At))
				}
			}
		}
	}
	for _, t := range types {
		for _, m := range t.Methods {
			if f.outsideCalls(t, m) {
				c.link(t.At, m.At, chanceOutside, -1)
			}
		}
	}
	return c
}

func (f *goFacts) sortedTypes() (interfaces, types []*gopackage.Type) {
	for _, t := range f.types {
		if len(t.Methods) == 0 {
			continue
		}
		if t.Interface {
			interfaces = append(interfaces, t)
		} else {
			types = append(types, t)
		}
	}
	byPlace := func(a, b *gopackage.Type) int { return comparePlaces(a.At, b.At) }
	slices.SortFunc(interfaces, byPlace)
	slices.SortFunc(types, byPlace)
	return interfaces, types
}

// outsideCalls reports whether code beyond the tree may call a method: through an interface of its own, or by its name
// as test suites do.
func (f *goFacts) outsideCalls(t *gopackage.Type, m gopackage.Method) bool {
	if isTest(t.At.Path) && strings.HasPrefix(m.Name, "Test") {
		return true
	}
	for _, i := range f.interfaces {
		if hasMethod(i.Methods, m.Name) && gopackage.Satisfies(t.Methods, i.Methods) {
			return true
		}
	}
	return false
}

func methodAt(methods []gopackage.Method, name string) gopackage.Place {
	for _, m := range methods {
		if m.Name == name {
			return m.At
		}
	}
	return gopackage.Place{}
}

// tests are those that may run a function, best first.
func (f *goFacts) tests(target gopackage.Place) []goTest {
	if f.graph == nil {
		f.graph = f.calls()
	}
	c := f.graph
	to, ok := c.ids[target]
	if !ok {
		return nil
	}
	above := c.above(to)
	var all []goTest
	r := &goReach{calls: c, target: to, above: above, seen: make([]bool, len(c.nodes)), chance: make([]float64, len(c.nodes)), waiting: make(map[int32][]int32)}
	inAll := 0
	for _, fn := range f.functions {
		if !isTest(fn.At.Path) || !goTestName(fn.Name) || fn.Receiver != (gopackage.Place{}) {
			continue
		}
		inAll++
		if !above[c.ids[fn.At]] {
			continue
		}
		if chance, depth := r.from(c.ids[fn.At]); chance > 0 {
			all = append(all, goTest{fn: fn, chance: chance, depth: depth, size: len(r.order)})
		}
	}
	words := f.wordsOf(target)
	for i := range all {
		t := &all[i]
		t.features = f.describe(t, c.nodes[to].fn, target, words, len(all), inAll)
		z := 0.0
		for j, x := range t.features {
			z += x * goTestWeights[j]
		}
		t.chance = 1 / (1 + math.Exp(-z))
	}
	slices.SortStableFunc(all, func(a, b goTest) int {
		return cmp.Or(cmp.Compare(b.chance, a.chance), cmp.Compare(a.depth, b.depth), comparePlaces(a.fn.At, b.fn.At))
	})
	return all
}

// goTestWeights weigh what describe says.
var goTestWeights = [features]float64{2.611, 0.194, 0.193, -0.128, -0.144, 1.746, 0.565, -1.016, 0.478, 0.056, 0.341, 0.025}

const features = 12

func (f *goFacts) describe(t *goTest, target *gopackage.Function, at gopackage.Place, words map[string]float64, candidates, tests int) [features]float64 {
	p := min(max(t.chance, 1e-4), 1-1e-4)
	rows := f.rows(t.fn)
	same := 0.0
	if filepath.Dir(t.fn.At.Path) == filepath.Dir(at.Path) {
		same = 1
	}
	shared, total := 0.0, 1e-9
	has := f.testWords(t.fn)
	for w, weight := range words {
		total += weight
		if has[w] {
			shared += weight
		}
	}
	named := 0.0
	for _, w := range gopackage.Words(t.fn.Name) {
		named += words[w]
	}
	example := 0.0
	if strings.HasPrefix(t.fn.Name, "Example") {
		example = 1
	}
	lp := math.Log(p / (1 - p))
	lr := math.Log(float64(1 + rows))
	return [features]float64{
		1, lp, lr, float64(t.depth), same, shared / total, named / total,
		math.Log(float64(candidates)), float64(candidates) / float64(tests), math.Log(float64(len(t.fn.Uses) + 1)), example, math.Log(float64(t.size)),
	}
}

func (f *goFacts) rows(test *gopackage.Function) int {
	rows := test.Rows
	for _, u := range test.Uses {
		if v := f.at[u.To]; u.Kind == gopackage.Read && v != nil && isTest(v.At.Path) {
			rows += v.Rows
		}
	}
	return rows
}

func (f *goFacts) testWords(test *gopackage.Function) map[string]bool {
	if f.words == nil {
		f.words = make(map[*gopackage.Function]map[string]bool)
	}
	if has := f.words[test]; has != nil {
		return has
	}
	has := make(map[string]bool)
	add := func(list []string) {
		for _, w := range list {
			has[w] = true
		}
	}
	add(test.Words)
	for _, u := range test.Uses {
		if v := f.at[u.To]; v != nil && isTest(v.At.Path) {
			add(v.Words)
		}
	}
	f.words[test] = has
	return has
}

// wordsOf weighs the words of a function's name by how few tests have them.
func (f *goFacts) wordsOf(target gopackage.Place) map[string]float64 {
	fn := f.at[target]
	weights := make(map[string]float64)
	if fn == nil {
		return weights
	}
	tests := 0
	for _, t := range f.functions {
		if isTest(t.At.Path) && goTestName(t.Name) {
			tests++
		}
	}
	for _, w := range gopackage.Words(fn.Name) {
		n := 0
		for _, t := range f.functions {
			if isTest(t.At.Path) && goTestName(t.Name) && f.testWords(t)[w] {
				n++
			}
		}
		weights[w] = math.Log(float64(tests+1) / float64(n+1))
	}
	return weights
}

// above marks what may lead to a node, gates left open.
func (c *goCalls) above(to int32) []bool {
	marked := make([]bool, len(c.nodes))
	queue := []int32{to}
	marked[to] = true
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, from := range c.nodes[n].from {
			if !marked[from] {
				marked[from] = true
				queue = append(queue, from)
			}
		}
	}
	return marked
}

// A goReach says how likely a test runs the target.
type goReach struct {
	calls   *goCalls
	target  int32
	above   []bool
	seen    []bool
	order   []int32 // seen, in order
	waiting map[int32][]int32
	chance  []float64
}

// from walks what a test reaches, with the types that it makes values of, and then back from the target.
func (r *goReach) from(test int32) (float64, int) {
	for _, n := range r.order {
		r.seen[n], r.chance[n] = false, 0
	}
	r.order = r.order[:0]
	clear(r.waiting)
	r.visit(test)
	for i := 0; i < len(r.order); i++ {
		n := r.order[i]
		for _, next := range r.waiting[n] {
			r.visit(next)
		}
		for _, way := range r.calls.nodes[n].ways {
			if way.gate >= 0 && !r.seen[way.gate] {
				r.waiting[way.gate] = append(r.waiting[way.gate], way.to)
				continue
			}
			r.visit(way.to)
		}
	}
	if !r.seen[r.target] {
		return 0, 0
	}
	r.chance[r.target] = 1
	depth := r.spread(test)
	return r.chance[test], depth
}

func (r *goReach) visit(n int32) {
	if !r.seen[n] {
		r.seen[n] = true
		r.order = append(r.order, n)
	}
}

const reachRounds = 14

// spread follows the ways backwards until nothing changes much, and returns how many rounds it took to come to test.
func (r *goReach) spread(test int32) int {
	depth := 0
	changed := []int32{r.target}
	dirty := make(map[int32]bool)
	for round := 1; len(changed) > 0 && round <= reachRounds; round++ {
		clear(dirty)
		for _, n := range changed {
			for _, from := range r.calls.nodes[n].from {
				if r.seen[from] && from != r.target {
					dirty[from] = true
				}
			}
		}
		changed = changed[:0]
		for n := range dirty {
			if was, is := r.chance[n], r.estimate(n); is > was*1.05+1e-4 {
				r.chance[n] = is
				changed = append(changed, n)
			}
		}
		slices.Sort(changed)
		if depth == 0 && r.chance[test] > 0 {
			depth = round
		}
	}
	return depth
}

// estimate is how likely a run of a node runs the target.
func (r *goReach) estimate(n int32) float64 {
	none, gated := 1.0, 0
	ways := r.calls.nodes[n].ways
	for _, way := range ways {
		if way.gate >= 0 && r.seen[way.gate] {
			gated++
		}
	}
	for _, way := range ways {
		switch {
		case way.gate < 0:
			none *= 1 - float64(way.chance)*r.chance[way.to]
		case r.seen[way.gate]:
			none *= 1 - r.chance[way.to]/float64(gated)
		}
	}
	return 1 - none
}

// goTestCut is how many of the tests, from the front, are worth running: so many that what is found outweighs what is not
// there, if the chances are right.
func goTestCut(tests []goTest) int {
	all := 0.0
	for _, t := range tests {
		all += t.chance
	}
	best, cut, sum := 0.0, 0, 0.0
	for i, t := range tests {
		sum += t.chance
		if f := 2 * sum / (float64(i+1) + all); f > best {
			best, cut = f, i+1
		}
	}
	return cut
}
