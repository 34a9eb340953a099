package work

// An UntrustedError means that a program does not run in a project that is not trusted.
type UntrustedError struct{ Program string }

func (e *UntrustedError) Error() string {
	return e.Program + " is not run: this project is not trusted"
}

// Hint says how to trust it.
func (*UntrustedError) Hint() string {
	return "the user can run `agent trust` in the project, in a terminal"
}

// HasTracker reports whether there are issues where the work is, and a program to ask about them.
func (w *Work) HasTracker() bool {
	_, err := w.runner.find("bd")
	return err == nil && tracked(w.runner.dir)
}

// trusts reports whether the tracker may run where the work is.
func (w *Work) trusts() bool { return w.trusted == nil || w.trusted(w.runner.dir) }
