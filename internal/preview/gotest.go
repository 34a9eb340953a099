package preview

import (
	"slices"
	"strings"
)

// A goTest reads go test, with -v or without. A failed test is a line "--- FAIL: name (0.00s)"; what it logged stands below that
// line, with -v below one that names the test: "=== RUN   name". Go ends with "FAIL\tpackage\t0.1s" for each package that failed.
type goTest struct{}

func (goTest) read(out *output) reading {
	s := goTestScan{out: out, logged: make(map[string][]int)}
	for i := 0; i < out.lines(); i++ {
		s.line(i, out.line(i))
	}
	s.endPackage()
	if s.seen {
		s.name = "go test"
	}
	return s.reading
}

// A goTestScan is one pass over an output.
type goTestScan struct {
	reading
	out     *output
	seen    bool             // something that only go test prints
	current string           // the test whose messages come
	logged  map[string][]int // messages by test
	failed  []goFailure      // in the order of the output
	named   bool             // the first test that failed is ranked
	panics  int              // whose stacks were searched
	since   int              // failures and panics since the last line about a package
}

// A goFailure is a line "--- FAIL".
type goFailure struct {
	test string
	line int
}

func (s *goTestScan) line(i int, line string) {
	text := strings.TrimLeft(line, " ")
	switch {
	case strings.HasPrefix(text, "--- FAIL: ") && strings.HasSuffix(text, "s)"):
		s.current = testName(text)
		s.failed = append(s.failed, goFailure{s.current, i})
		s.seen, s.fails = true, true
		s.since++
	case strings.HasPrefix(text, "--- ") && strings.HasSuffix(text, "s)"):
		s.current = testName(text)
	case strings.HasPrefix(line, "=== "):
		s.started(line)
	case strings.HasPrefix(line, "FAIL\t"):
		s.packageFailed(i, line)
	case strings.HasPrefix(line, "ok  \t"):
		s.seen = true
		s.endPackage()
	case strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: "):
		s.panicked(i)
	case line == "WARNING: DATA RACE":
		s.raced(i)
	case len(line) > len(text) && s.current != "":
		if at, ok := placeOf(text); ok && strings.HasSuffix(at.path, ".go") {
			s.logged[s.current] = keep(s.logged[s.current], i)
		}
	}
}

// testName returns the name in "--- FAIL: name (0.00s)".
func testName(text string) string {
	_, name, _ := strings.Cut(text, ": ")
	return name[:max(0, strings.LastIndex(name, " ("))]
}

// started reads "=== RUN   name", "=== CONT  name" and "=== NAME  name".
func (s *goTestScan) started(line string) {
	if fields := strings.Fields(line); len(fields) == 3 && (fields[1] == "RUN" || fields[1] == "CONT" || fields[1] == "NAME") {
		s.current, s.seen = fields[2], true
	}
}

// packageFailed reads the line at the end of a package. If neither a test nor a panic explains it, the program ended by itself: its
// last lines say why.
func (s *goTestScan) packageFailed(i int, line string) {
	s.seen, s.fails = true, true
	s.add(verdict, i)
	if s.since == 0 && !strings.HasSuffix(line, " failed]") {
		s.lastWords(i)
	}
	s.endPackage()
}

// lastWords adds the two lines above the end of a package.
func (s *goTestScan) lastWords(end int) {
	found := 0
	for at := end - 1; at >= max(0, end-10) && found < 2; at-- {
		line := s.out.line(at)
		switch {
		case line == "FAIL" || strings.HasPrefix(line, "exit status ") || strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "FAIL\t") || strings.HasPrefix(line, "?   "): // another package's
			return
		default:
			s.add(cause, at)
			found++
		}
	}
}

// endPackage ranks the tests of a package and forgets them: another one may have tests of the same names.
func (s *goTestScan) endPackage() {
	s.tests()
	s.failed, s.since, s.current = nil, 0, ""
	if len(s.logged) > 0 { // clear would cost what the map once had
		s.logged = make(map[string][]int)
	}
}

// tests ranks the tests that failed. A test whose subtests failed is named by them.
func (s *goTestScan) tests() {
	parents := make(map[string]bool)
	for _, f := range s.failed {
		if parent := strings.LastIndexByte(f.test, '/'); parent > 0 {
			parents[f.test[:parent]] = true
		}
	}
	for _, f := range s.failed {
		messages := s.logged[f.test]
		if parents[f.test] && len(messages) == 0 {
			s.add(context, f.line)
			continue
		}
		s.test(f.line, messages, !s.named)
		s.named = true
	}
}

// test ranks one that failed. What it logged last is mostly why; the first message is next.
func (s *goTestScan) test(line int, messages []int, first bool) {
	title, more := failure, context
	if first {
		title, more = cause, detail
	}
	s.add(title, line)
	slices.Reverse(messages)
	for n, message := range ends(messages) {
		rank := more
		if n == 0 || n == 1 && first {
			rank = title
		}
		s.add(rank, message)
		s.addRange(rank, message+1, min(deeper(s.out, message), message+5))
		if n == 5 {
			return
		}
	}
}

// deeper returns the line behind those below a line that are further in.
func deeper(out *output, line int) int {
	depth := indent(out.line(line))
	end := line + 1
	for end < min(line+maxBelow, out.lines()) && indent(out.line(end)) > depth && !strings.HasPrefix(strings.TrimSpace(out.line(end)), "--- ") {
		end++
	}
	return end
}
