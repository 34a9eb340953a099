package tools

// A hintedError is a failure with advice.
type hintedError struct {
	what   string
	advice string // what to do about it
}

// Error says what happened.
func (e *hintedError) Error() string { return e.what }

// Hint says what to do about it.
func (e *hintedError) Hint() string { return e.advice }
