// Package zoo is searched by the tests. A line that ends in "want NAME: KIND" is what find_callers must answer for NAME.
package zoo

import (
	"fmt"
	"sort"
)

// Feed feeds. Feed(1) here is no call.
func Feed(n int) int {
	if n > 100 {
		return Feed(n - 1) // want zoo.Feed: call
	}
	return n
}

const advice = "call Feed(1)"

var atStart = Feed(1) // want zoo.Feed: call

var menu = map[string]func(int) int{
	"plain": Feed, // want zoo.Feed: value
	"twice": func(n int) int {
		return Feed(Feed(n)) // want zoo.Feed: call + call
	},
}

func everyWay(run func(func(int) int)) {
	_ = "ü" + fmt.Sprint(Feed(2)) // want zoo.Feed: call
	go Feed(3)                    // want zoo.Feed: go
	defer Feed(4)                 // want zoo.Feed: defer
	func() {
		Feed(5) // want zoo.Feed: call
	}()
	f := Feed // want zoo.Feed: value
	f(6)
	run(Feed) // want zoo.Feed: value
	(Feed)(7) // want zoo.Feed: call
	/* Feed(8) */
	{
		Feed := func(int) {}
		Feed(9)
	}
	_, _ = advice, atStart
	_ = menu
}

// Animal is an interface with more than one implementation.
type Animal interface {
	Sound() string
	Name() string
}

// Loud embeds an interface.
type Loud interface {
	Animal
	Shout()
}

// Dog is an Animal.
type Dog struct{ name string }

// Sound barks.
func (d Dog) Sound() string { return "woof" }

// Name names.
func (d *Dog) Name() string { return d.name }

// Cat is an Animal.
type Cat struct{}

// Sound meows.
func (Cat) Sound() string { return "meow" }

// Name names.
func (Cat) Name() string { return "cat" }

// Puppy promotes Dog's methods.
type Puppy struct{ *Dog }

// Rock has a Sound, but is no Animal.
type Rock struct{}

// Sound is silence.
func (Rock) Sound() string { return "" }

func listen(a Animal, l Loud, d Dog, c *Cat, p Puppy, r Rock) {
	a.Sound()        // want Animal.Sound: call, zoo.Dog.Sound: interface call, Cat.Sound: interface call, farm.Dog.Sound: interface call
	l.Sound()        // want Animal.Sound: call, zoo.Dog.Sound: interface call, Cat.Sound: interface call, farm.Dog.Sound: interface call
	d.Sound()        // want zoo.Dog.Sound: call
	c.Sound()        // want Cat.Sound: call
	p.Sound()        // want zoo.Dog.Sound: call
	p.Dog.Sound()    // want zoo.Dog.Sound: call
	r.Sound()        // want Rock.Sound: call
	bark := d.Sound  // want zoo.Dog.Sound: value
	say := Dog.Sound // want zoo.Dog.Sound: value
	any := a.Sound   // want Animal.Sound: value, zoo.Dog.Sound: interface value, Cat.Sound: interface value, farm.Dog.Sound: interface value
	defer a.Sound()  // want Animal.Sound: defer, zoo.Dog.Sound: interface defer, Cat.Sound: interface defer, farm.Dog.Sound: interface defer
	_, _, _ = bark, say, any
}

func generic[A Animal](a A) string {
	return a.Sound() // want Animal.Sound: call, zoo.Dog.Sound: interface call, Cat.Sound: interface call, farm.Dog.Sound: interface call
}

// Map is generic.
func Map[T, U any](in []T, f func(T) U) []U {
	out := make([]U, 0, len(in))
	for _, v := range in {
		out = append(out, f(v))
	}
	return out
}

// List is generic.
type List[T any] struct{ items []T }

// Push adds.
func (l *List[T]) Push(item T) { l.items = append(l.items, item) }

// Len makes a List a sort.Interface together with what follows.
func (l *List[T]) Len() int           { return len(l.items) }
func (l *List[T]) Less(i, j int) bool { return i < j }
func (l *List[T]) Swap(i, j int)      { l.items[i], l.items[j] = l.items[j], l.items[i] }

func generics() {
	Map([]int{1}, func(i int) int { return i })                // want Map: call
	Map[int, string]([]int{1}, func(int) string { return "" }) // want Map: call
	convert := Map[int, int]                                   // want Map: value
	_ = convert
	var ints List[int]
	ints.Push(1)                // want List.Push: call
	(&List[string]{}).Push("x") // want List.Push: call
	push := (*List[int]).Push   // want List.Push: value
	_ = push
	sort.Sort(&ints)
}

func anonymous(v any) {
	if a, ok := v.(interface{ Sound() string }); ok {
		a.Sound() // want zoo.Dog.Sound: interface call, Cat.Sound: interface call, Rock.Sound: interface call, farm.Dog.Sound: interface call
	}
}
