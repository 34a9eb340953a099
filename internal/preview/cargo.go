package preview

import "strings"

// A cargoBuild reads cargo and rustc: "error[E0308]: message", " --> src/lib.rs:1:2", the source with labels, an empty line.
type cargoBuild struct{}

func (cargoBuild) read(out *output) reading {
	d := diagnostics{}
	for i := range out.lines() {
		line := out.line(i)
		switch {
		case isCargoVerdict(line):
			d.add(verdict, i)
			d.fails = true
		case strings.HasPrefix(line, "error[E") || strings.HasPrefix(line, "error: "):
			d.rust(out, i)
		case strings.HasPrefix(line, "warning: ") && strings.HasPrefix(strings.TrimSpace(out.line(i+1)), "--> "):
			d.warn(i)
		}
	}
	if d.errors > 0 && (len(d.picks[verdict]) > 0 || d.placed(out)) {
		d.name = "cargo"
	}
	return d.reading
}

// isCargoVerdict reads how cargo ends after a build: "error: could not compile `shop` (bin "shop") due to 1 previous error".
func isCargoVerdict(line string) bool { return strings.HasPrefix(line, "error: could not compile `") }

// rust reads an error. Its place and the labels below the source are as needed as its first line.
func (d *diagnostics) rust(out *output, i int) {
	if strings.HasPrefix(out.line(i), "error: aborting due to ") || strings.HasPrefix(out.line(i), "error: test failed") ||
		strings.HasSuffix(out.line(i), " failed:") {
		return
	}
	end := i + 1
	for end < min(i+20, out.lines()) && out.line(end) != "" {
		end++
	}
	kind, _, _ := strings.Cut(out.line(i), ": ")
	path, _, _ := strings.Cut(strings.TrimLeft(out.line(i+1), " ->"), ":")
	d.fail(path, kind, i, i+1)
	place, more := context, context
	if d.isFirst() {
		place, more = cause, detail
	}
	for at := i + 1; at < end; at++ {
		text := strings.TrimLeft(out.line(at), " 0123456789")
		switch {
		case strings.HasPrefix(text, "--> "):
			d.add(place, at)
		case text != "|" && text != "...":
			d.add(more, at)
		}
	}
}

// placed reports whether the first error names a place, as only rustc prints it.
func (d *diagnostics) placed(out *output) bool {
	for _, line := range d.picks[cause] {
		if strings.HasPrefix(strings.TrimSpace(out.line(line)), "--> ") {
			return true
		}
	}
	return false
}

// A cargoTest reads the test programs that cargo runs: "test name ... FAILED", "---- name stdout ----" above what a test printed,
// "thread 'name' panicked at src/lib.rs:1:2:", a list of names below "failures:", and "test result: FAILED. 1 passed; 1 failed; …".
type cargoTest struct{}

func (cargoTest) read(out *output) reading {
	r := reading{}
	failed, listed := 0, 0                           // by the program's count; names in the last list
	inList, panicked := false, make(map[string]bool) // whether names come; the tests that panicked
	for i := range out.lines() {
		line := out.line(i)
		switch {
		case strings.HasPrefix(line, "test result: "):
			inList = false
			r.name = "cargo test"
			if !strings.HasPrefix(line, "test result: ok") {
				r.fails = true
				r.add(verdict, i)
				failed += max(0, number(between(line, " passed; ", " failed")))
			}
		case strings.HasPrefix(line, "thread '") && strings.Contains(line, " panicked at "):
			r.rustPanic(out, i, len(panicked) == 0)
			if len(panicked) < maxPicks {
				panicked[between(line, "thread '", "'")] = true
			}
		case isUnpanicked(line, out.line(i+1)):
			r.addRange(cause, i, i+2)
		case line == "failures:":
			inList = true
		case inList && strings.HasPrefix(line, "    ") && indent(line) == 4:
			if listed++; !panicked[strings.TrimSpace(line)] {
				r.add(failure, i)
			}
		case inList && line != "" && indent(line) == 0:
			inList = strings.HasPrefix(line, "----")
		}
	}
	if listed < failed {
		return reading{}
	}
	return r
}

// isUnpanicked reports whether a test that printed nothing else returned an error or did not panic although it should have.
func isUnpanicked(title, next string) bool {
	return strings.HasPrefix(title, "---- ") && strings.HasSuffix(title, " stdout ----") &&
		(strings.HasPrefix(next, "Error: ") || strings.HasPrefix(next, "note: test did not panic"))
}

// rustPanic reads where a test panicked and the message below it.
func (r *reading) rustPanic(out *output, i int, first bool) {
	rank, end := failure, i+2
	if first {
		rank, end = cause, i+7
	}
	if r.isFull() {
		return
	}
	r.add(rank, i)
	for at := i + 1; at < end && out.line(at) != "" && !strings.HasPrefix(out.line(at), "note: ") && !strings.HasPrefix(out.line(at), "stack backtrace:"); at++ {
		r.add(rank, at)
	}
}

// between returns what stands between two texts, "" if they do not follow each other.
func between(text, left, right string) string {
	_, rest, _ := strings.Cut(text, left)
	inner, _, found := strings.Cut(rest, right)
	if !found {
		return ""
	}
	return inner
}
