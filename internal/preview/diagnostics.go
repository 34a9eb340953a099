package preview

// A diagnostics ranks what a compiler or linter reports.
type diagnostics struct {
	reading
	errors, warnings int
	known            map[string]bool // files and kinds of errors that were reported
}

// fail adds an error that starts at a line and goes on to before end. The first one is the cause, what it goes on with a detail.
// Of the others those in another file or of another kind stand before those that only repeat; the kind may be "".
func (d *diagnostics) fail(path, kind string, first, end int) {
	newFile, newKind := d.isNew("file "+path), d.isNew("kind "+kind)
	switch d.errors++; {
	case d.errors == 1:
		d.fails = true
		d.add(cause, first)
		d.addRange(detail, first+1, end)
	case newFile || newKind:
		d.add(failure, first)
		d.addRange(context, first+1, end)
	default:
		d.add(detail, first)
	}
}

// maxKnown bounds the files and kinds that are told apart.
const maxKnown = 10_000

// isNew reports whether a key comes for the first time.
func (d *diagnostics) isNew(key string) bool {
	if d.known[key] || len(d.known) == maxKnown {
		return false
	}
	if d.known == nil {
		d.known = make(map[string]bool)
	}
	d.known[key] = true
	return true
}

// warn adds a warning.
func (d *diagnostics) warn(line int) {
	d.warnings++
	d.add(warning, line)
}

// isFirst reports whether the error that was added last is the first one.
func (d *diagnostics) isFirst() bool { return d.errors == 1 }
