package journal

import (
	"slices"
	"strings"
	"unicode"
)

// An expectation is what a prediction says of tests or a build.
type expectation int

const (
	unsaid expectation = iota // neither
	success
	failure
)

// expected reads a prediction. Success that is named wins: "fails before and passes after" expects success. A word counts for its
// opposite if a negation stands at most three words before it.
func expected(prediction string) expectation {
	words := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(prediction, "’", "'")), func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\'' && !unicode.IsDigit(r)
	})
	found := unsaid
	for i, word := range words {
		said := polarity(word)
		if said == unsaid {
			continue
		}
		if slices.ContainsFunc(words[max(0, i-3):i], negates) {
			said = success + failure - said
		}
		if said == success {
			return success
		}
		found = said
	}
	return found
}

// polarity returns what a word says by itself. Adjectives are left out: "the failing test" is only the name of a test.
func polarity(word string) expectation {
	switch word {
	case "pass", "passes", "passed", "succeed", "succeeds", "succeeded", "green", "compile", "compiles", "builds", "work", "works":
		return success
	case "fail", "fails", "failed", "failure", "failures", "error", "errors", "panic", "panics", "crash", "crashes", "break", "breaks",
		"red", "race", "races", "deadlock", "deadlocks", "hang", "hangs", "reproduce", "reproduces":
		return failure
	}
	return unsaid
}

func negates(word string) bool {
	switch word {
	case "no", "not", "never", "without", "stop", "stops", "longer", "zero", "0", "cannot", "instead", "neither", "nor", "disappears", "avoids":
		return true
	}
	return strings.HasSuffix(word, "n't")
}

// concerns reports whether a prediction may be about results of a kind. A build says something only where the prediction speaks of
// building; tests always do.
func concerns(prediction, kind string) bool {
	if kind == "test" {
		return true
	}
	text := strings.ToLower(prediction)
	return slices.ContainsFunc([]string{"build", "compil", "link", "type check", "typecheck"}, func(word string) bool { return strings.Contains(text, word) })
}

// shows reports whether what a hook has seen agrees with how an entry is resolved.
func (c *Captured) shows(status State, prediction string) bool {
	asPredicted := c.Passed == (expected(prediction) != failure)
	return status == Confirmed && asPredicted || status == Falsified && !asPredicted
}
