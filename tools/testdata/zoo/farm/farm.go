// Package farm has names that other packages have, too.
package farm

// Feed is another Feed.
func Feed(bales int) {}

// Barn has a method with the name of a function.
type Barn struct{}

// Feed is a third one.
func (b *Barn) Feed() {
	Feed(1) // want farm.Feed: call
}

// Dog is another Dog, and an Animal of package zoo without naming it.
type Dog struct{}

// Sound is heard far.
func (Dog) Sound() string { return "WOOF" }

// Name names.
func (Dog) Name() string { return "farm dog" }

// Unused is never called.
func Unused() {}

// Morning starts the day.
func Morning(b *Barn) {
	b.Feed()      // want Barn.Feed: call
	Dog{}.Sound() // want farm.Dog.Sound: call
}
