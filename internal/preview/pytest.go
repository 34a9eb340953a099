package preview

import "strings"

// A pytest reads pytest's report: a title "____ test_a ____" above each failure, lines "E   message", the place "test_a.py:7: Error",
// then "FAILED test_a.py::test_a - message" and "=== 1 failed, 3 passed in 0.12s ===".
type pytest struct{}

func (pytest) read(out *output) reading {
	s := pytestScan{out: out}
	for i := range out.lines() {
		s.line(i, out.line(i))
	}
	s.block()
	if s.declared > max(s.blocks, s.summaries) || s.declared < 0 || !s.seen {
		return reading{}
	}
	s.name, s.fails = "pytest", s.declared > 0
	return s.reading
}

// A pytestScan is one pass over an output.
type pytestScan struct {
	reading
	out       *output
	seen      bool // a line that only pytest prints
	declared  int  // failures and errors by pytest's own count
	blocks    int  // titles
	summaries int  // FAILED and ERROR lines
	title     int  // the line of the title of the block that is read, plus one; 0: none is
	messages  []int
	place     int // where the block ends, a line plus one; 0: unknown
	source    int // the source line that failed, a line plus one
}

func (s *pytestScan) line(i int, line string) {
	text := strings.Trim(line, "=! ")
	switch {
	case strings.HasPrefix(line, "____") && strings.HasSuffix(line, "____"):
		s.block()
		s.title, s.blocks = i+1, s.blocks+1
	case strings.HasPrefix(line, "====") && strings.HasSuffix(line, "===="):
		s.block()
		s.seen = s.seen || text == "test session starts" || text == "FAILURES" || text == "ERRORS" || text == "short test summary info"
		s.verdict(i, text)
	case strings.HasPrefix(line, "FAILED ") || strings.HasPrefix(line, "ERROR "):
		s.summary(i, line)
	case strings.HasPrefix(line, "E   ") && s.title > 0:
		s.messages = keep(s.messages, i)
	case strings.HasPrefix(line, ">  ") && s.title > 0:
		s.source = i + 1
	case s.title > 0 && isPythonPlace(line):
		s.place = i + 1
	case strings.HasPrefix(line, "!!!! "):
		s.add(context, i)
	case isDigit(first(line)):
		s.verdict(i, line)
	}
}

// first returns the first byte of a text, 0 if it has none.
func first(text string) byte {
	if text == "" {
		return 0
	}
	return text[0]
}

// isPythonPlace reads "test_a.py:7: AssertionError" and "test_a.py:4: in add".
func isPythonPlace(line string) bool {
	at, ok := placeOf(line)
	return ok && indent(line) == 0 && strings.HasSuffix(at.path, ".py")
}

// verdict reads "1 failed, 3 passed, 1 error in 0.12s".
func (s *pytestScan) verdict(i int, text string) {
	counts, _, timed := strings.Cut(text, " in ")
	if !timed || digits(counts) == 0 {
		return
	}
	total := 0
	for _, part := range strings.Split(counts, ", ") {
		n, outcome := number(part), part[digits(part):]
		switch outcome {
		case " failed", " error", " errors":
			total += n
		case " passed", " skipped", " warning", " warnings", " deselected", " xfailed", " xpassed", " rerun":
		default:
			return
		}
	}
	s.seen, s.declared = true, s.declared+total
	if total > 0 {
		s.add(verdict, i)
	}
}

// summary reads a line of the short summary: the name of a test, and mostly why it failed.
func (s *pytestScan) summary(i int, line string) {
	if !strings.Contains(line, ".py") {
		return
	}
	rank := failure
	if s.summaries == 0 {
		rank = cause
	}
	s.summaries++
	s.add(rank, i)
}

// block ends what is read of a failure. The line of the source is needed less: the message repeats it.
func (s *pytestScan) block() {
	if s.title == 0 {
		return
	}
	rank, more := context, context
	if s.blocks == 1 {
		rank, more = cause, detail
	}
	s.add(more, s.title-1)
	for n, line := range ends(s.messages) {
		if n < 2 {
			s.add(rank, line)
		} else if n < 8 {
			s.add(more, line)
		}
	}
	if s.place > 0 {
		s.add(rank, s.place-1)
	}
	if s.source > 0 {
		s.add(more, s.source-1)
	}
	s.title, s.place, s.source, s.messages = 0, 0, 0, nil
}
