//go:build linux

package escape

import (
	"fmt"
	"slices"
	"time"
)

// A Way is one way out. Its lines run by sh -c in the project; what they may name stands in the variables of [world.variables].
type Way struct {
	Name  string
	Try   string
	Then  string // a second command, in another session; "": none
	Later string // what a person runs afterwards, outside, without meaning to run the project's code; "": nothing

	Does    Breach   // what the control causes
	Also    []Breach // what it causes besides
	Control Control  // who can run it unconfined
	Partial string   // why it does not hold at partial; "": it does
	Whose   Runner   // whom Partial is about
	Unbound bool     // it would harm the machine if it did not hold, and at partial no namespace keeps it in, so it is not tried there
	Exit    int      // what the command must seem to have exited with, if it tries to make that another number; 0: not looked at

	Without  []string      // what is removed from the project before, by its path there
	Timeout  time.Duration // of a command; 0: [usualTimeout]
	MemoryMB int           // 0: [usualMemoryMB]
}

// usualTimeout is longer than any row takes on a busy machine. usualMemoryMB is enough for git and for a small Go program.
const (
	usualTimeout   = 60 * time.Second
	usualMemoryMB  = 512
	usualProcesses = 64
)

// A Breach is what must not happen, in words: "changes home/.bashrc". "" is none.
type Breach string

// The breaches without an object.
const (
	passes  Breach = "gets a refused call through"
	leaves  Breach = "leaves a process"
	harms   Breach = "harms the process outside"
	lasts   Breach = "lasts longer than it may"
	gives   Breach = "leaves a file that gives its runner other rights"
	pretend Breach = "seems to exit with another status"
	untried Breach = "has not run"
)

// changes is the breach of a path below the world.
func changes(path string) Breach { return Breach("changes " + path) }

// reads is the breach of a secret, by the name of what holds it.
func reads(secret string) Breach { return Breach("reads " + secret) }

// reaches is the breach of a listener, by its name.
func reaches(listener string) Breach { return Breach("reaches " + listener) }

// Control says who can run a way without a sandbox, so that it causes its breach.
type Control string

// The controls. Root is uid 0 of the machine, in a mount namespace of its own. Nobody: it would harm the machine, or there is nothing
// outside that it is about.
const (
	Anybody Control = ""
	Root    Control = "root"
	Nobody  Control = "nobody"
)

// A Runner is who runs a way in the sandbox.
type Runner string

// The runners. ByUser is anybody but uid 0.
const (
	Everybody Runner = ""
	ByUser    Runner = "user"
	ByRoot    Runner = "root"
)

// Open returns why the way does not hold at partial for a user; "": it holds.
func (w Way) Open(uid int) string {
	if w.Whose == ByUser && uid == 0 || w.Whose == ByRoot && uid != 0 {
		return ""
	}
	return w.Partial
}

// Ways returns the whole table. Names are unique.
func Ways() []Way {
	return slices.Concat(fileWays(), repositoryWays(), settingWays(), homeWays(), credentialWays(), socketWays(), networkWays(),
		processWays(), mountWays(), kernelWays(), deviceWays(), loadWays(), laterWays())
}

// validate returns an error if two ways have the same name, or one has no line or no breach.
func validate(ways []Way) error {
	seen := map[string]bool{}
	for _, w := range ways {
		if seen[w.Name] || w.Name == "" || w.Try == "" || w.Does == "" {
			return fmt.Errorf("the way %q is a second one of this name, or has no line or no breach", w.Name)
		}
		seen[w.Name] = true
	}
	return nil
}
