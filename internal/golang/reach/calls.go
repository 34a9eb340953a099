package reach

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/packages"
)

// Calls are what runs what in a tree. Safe for concurrent use.
type Calls struct {
	index *packages.Index
	nodes []node
	ids   map[fact.Place]int32
	tests []*fact.Function // those that go test runs

	counting sync.Once                          // fills in what follows
	words    map[*fact.Function]map[string]bool // of a test and of what it uses of its package's tests
	having   map[string]int                     // how many tests have a word
}

// Cache keeps the calls of one index. The zero value is empty and ready. Safe for concurrent use.
type Cache struct {
	mu    sync.Mutex
	calls *Calls
}

// Of returns the calls of an index.
func (k *Cache) Of(index *packages.Index) *Calls {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.calls == nil || k.calls.index != index {
		k.calls = New(index)
	}
	return k.calls
}

// A node is a declaration that runs others: a function, a variable that is made of them, a method of an interface, a type
// that brings its methods. Some stand for the values of several types.
type node struct {
	fn   *fact.Function // nil: it is none
	ways []way
	from []int32 // each as often as it has a way here
}

// A way leads from a node to what a run of it may run.
type way struct {
	to   int32
	gate int32 // a node that the run must have come to as well; open: none
}

const open = -1

// New links the declarations of an index.
func New(index *packages.Index) *Calls {
	c := &Calls{index: index, ids: make(map[fact.Place]int32)}
	for _, fn := range index.Functions {
		c.nodes[c.id(fn.At)].fn = fn
		for _, u := range fn.Uses {
			c.link(fn.At, u.To, c.needed(u.Needs))
		}
		c.initialize(fn)
		if fn.Test && fn.Receiver == (fact.Place{}) && runs(fn.Name) {
			c.tests = append(c.tests, fn)
		}
	}
	for _, t := range index.Types {
		if !t.Interface && len(t.Methods) > 0 {
			c.dispatch(t)
		}
	}
	return c
}

// runs reports whether go test runs a function of a test file, and says whether it failed, under this name.
func runs(name string) bool {
	for _, prefix := range []string{"Test", "Example", "Fuzz"} {
		if strings.HasPrefix(name, prefix) && name != "TestMain" {
			return true
		}
	}
	return false
}

func (c *Calls) id(place fact.Place) int32 {
	id, ok := c.ids[place]
	if !ok {
		id = int32(len(c.nodes))
		c.ids[place] = id
		c.nodes = append(c.nodes, node{})
	}
	return id
}

func (c *Calls) link(from, to fact.Place, gate int32) {
	if from == to || to == (fact.Place{}) {
		return
	}
	a, b := c.id(from), c.id(to)
	c.nodes[a].ways = append(c.nodes[a].ways, way{b, gate})
	c.nodes[b].from = append(c.nodes[b].from, a)
}

// initialize links a package to a function if it runs that before all else.
func (c *Calls) initialize(fn *fact.Function) {
	calls := func(u fact.Use) bool { return u.Kind == fact.Called && !u.Closure }
	if fn.Name == "init" && !fn.Variable || fn.Variable && slices.ContainsFunc(fn.Uses, calls) {
		c.link(start(fn), fn.At, open)
	}
}

// start stands for what the package of a function runs before all else, with its tests or without.
func start(fn *fact.Function) fact.Place {
	if fn.Test {
		return fact.Place{Path: fn.Package, Line: 1}
	}
	return fact.Place{Path: fn.Package}
}

// needed returns the node that a run comes to with a value of any of the types.
func (c *Calls) needed(types []fact.Place) int32 {
	switch len(types) {
	case 0:
		return open
	case 1:
		return c.id(types[0])
	}
	any := fact.Place{Path: fmt.Sprint(types)}
	if _, known := c.ids[any]; !known {
		for _, t := range types {
			c.link(t, any, open)
		}
	}
	return c.id(any)
}

// dispatch links the interfaces that a type implements to its methods, and the type to those of its methods that code
// outside of the tree may call.
func (c *Calls) dispatch(t *fact.Type) {
	for _, i := range c.index.Types {
		if !i.Interface || len(i.Methods) == 0 || !fact.Satisfies(t.Methods, i.Methods) {
			continue
		}
		c.link(t.At, i.At, open)
		for _, m := range i.Methods {
			if m.At != (fact.Place{}) {
				c.link(m.At, t.Method(m.Name), c.id(t.At))
			}
		}
	}
	for _, i := range c.index.Outside {
		if !fact.Satisfies(t.Methods, i.Methods) {
			continue
		}
		for _, m := range i.Methods {
			c.link(t.At, t.Method(m.Name), open)
		}
	}
	for _, m := range t.Methods {
		if t.Test && strings.HasPrefix(m.Name, "Test") { // test suites call them by name
			c.link(t.At, m.At, open)
		}
	}
}

// above marks what may lead to a node, with all gates open.
func (c *Calls) above(to int32) []bool {
	marked := make([]bool, len(c.nodes))
	marked[to] = true
	for queue := []int32{to}; len(queue) > 0; queue = queue[1:] {
		for _, from := range c.nodes[queue[0]].from {
			if !marked[from] {
				marked[from] = true
				queue = append(queue, from)
			}
		}
	}
	return marked
}
