package config

import "fmt"

// A KeyError is one thing that is wrong with one key.
type KeyError struct {
	Key     string // dotted, down to the member; "" if it is the file as a whole
	Source  string // "FILE:LINE", the name of a variable, or "command line"
	Problem string // what is wrong: what was expected and what was found
	Advice  string // what to do about it; "" if the problem says it
}

func (e *KeyError) Error() string {
	if e.Key == "" {
		return e.Source + ": " + e.Problem
	}
	return e.Source + ": " + e.Key + ": " + e.Problem
}

// Hint returns the advice.
func (e *KeyError) Hint() string { return e.Advice }

// A fault is a KeyError in the making, seen from inside a value that knows neither its key nor its source.
type fault struct {
	line    int    // in the file; 0 elsewhere
	below   string // where inside the value: "[2].pattern"
	problem string
	advice  string
}

// within says that the fault lies below a member or element of the value.
func (f *fault) within(below string) *fault {
	f.below = below + f.below
	return f
}

// suggest names the candidate that was probably meant, or gives the advice for when none is near.
func suggest(name string, candidates []string, otherwise string) string {
	if near := nearest(name, candidates); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return otherwise
}
