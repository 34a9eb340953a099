package analysis

import (
	"errors"
	"fmt"
	"time"

	"tidepool/internal/wording"
)

// A Failure is why the process did not answer a question. What the answer would have told is not known.
type Failure struct {
	Reason string // "the analysis of the packages needed more than 1,500 MB (memory.budget)"
	hint   string
}

func (f *Failure) Error() string { return f.Reason }

// Hint says what to do.
func (f *Failure) Hint() string { return f.hint }

// Failed reports whether an error is a [*Failure].
func Failed(err error) bool {
	_, failed := errors.AsType[*Failure](err)
	return failed
}

func tooLarge(limit int64) *Failure {
	return &Failure{
		fmt.Sprintf("the analysis of the packages needed more than %s (memory.budget)", megabytes(limit)),
		"raise memory.budget in .tidepool/config.json, if the machine has more memory",
	}
}

// megabytes writes bytes as "1,500 MB".
func megabytes(bytes int64) string {
	if n := bytes >> 20; n >= 1000 {
		return fmt.Sprintf("%d,%03d MB", n/1000, n%1000)
	}
	return fmt.Sprintf("%d MB", bytes>>20)
}

func tooSlow(patience time.Duration) *Failure {
	return &Failure{
		fmt.Sprintf("the analysis of the packages took more than %v", patience),
		"ask again: what is known already is kept for a while",
	}
}

func ended(how string) *Failure {
	return &Failure{"the process that analyses the packages ended: " + how, "ask again, which starts it anew"}
}

func notStarted(err error) *Failure {
	return &Failure{"the process that analyses the packages could not be started: " + wording.OneLine(err.Error()), "see whether the machine has processes and memory left, then ask again"}
}

func closed() *Failure {
	return &Failure{"the daemon is ending", "ask again, which starts another one"}
}
