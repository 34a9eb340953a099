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
	failed, listed := 0, 0 // by the program's count; names in the last list
	inList, panics := false, 0
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
		case line == "failures:":
			inList = true
		case inList && strings.HasPrefix(line, "    ") && indent(line) == 4 && !strings.Contains(line, " "+"panicked"):
			listed++
			r.add(context, i)
		case inList && line != "" && indent(line) == 0:
			inList = strings.HasPrefix(line, "----")
		case strings.HasPrefix(line, "thread '") && strings.Contains(line, " panicked at "):
			r.rustPanic(out, i, panics == 0)
			panics++
		}
	}
	if listed < failed {
		return reading{}
	}
	return r
}

// rustPanic reads where a test panicked and the message below it.
func (r *reading) rustPanic(out *output, i int, first bool) {
	rank, end := failure, i+2
	if first {
		rank, end = cause, i+7
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
