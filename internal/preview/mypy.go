package preview

import "strings"

// A mypy reads "a.py:1: error: message  [code]", with --pretty the source below it, and "Found 2 errors in 1 file (checked 3 source
// files)".
type mypy struct{}

func (mypy) read(out *output) reading {
	d := diagnostics{}
	declared := -1
	for i := range out.lines() {
		line := out.line(i)
		switch at, ok := placeOf(line); {
		case ok && isOf(at.path, ".py", ".pyi") && strings.HasPrefix(at.message, "error: "):
			d.fail(at.path, line[strings.LastIndexByte(line, ' ')+1:], i, goesOn(out, i))
		case ok && isOf(at.path, ".py", ".pyi") && strings.HasPrefix(at.message, "note: "):
			rank := context
			if d.isFirst() {
				rank = detail
			}
			d.add(rank, i)
		case strings.HasPrefix(line, "Found ") && strings.Contains(line, " error") && strings.HasSuffix(line, ")"):
			declared = number(line[len("Found "):])
			d.add(verdict, i)
		case strings.HasPrefix(line, "Success: no issues found"):
			d.name = "mypy"
			d.add(verdict, i)
		}
	}
	if d.errors > 0 && (declared < 0 || declared == d.errors) {
		d.name = "mypy"
	} else if d.errors > 0 {
		return reading{}
	}
	return d.reading
}
