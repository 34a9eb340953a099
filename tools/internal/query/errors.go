package query

// A HintedError is a failure with advice.
type HintedError struct {
	What   string
	Advice string // what to do about it
}

// Error returns what happened.
func (e *HintedError) Error() string { return e.What }

// Hint says what to do about it.
func (e *HintedError) Hint() string { return e.Advice }
