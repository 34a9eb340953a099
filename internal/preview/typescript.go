package preview

import "strings"

// A typescript reads tsc: "a.ts(1,2): error TS2322: message", with --pretty "a.ts:1:2 - error TS2322: message", the source line, and
// at the end "Found 2 errors in 1 file."
type typescript struct{}

func (typescript) read(out *output) reading {
	d := diagnostics{}
	found := 0 // by the compiler's own count
	for i := range out.lines() {
		line := out.line(i)
		switch {
		case isTypeScriptError(line):
			path, rest, _ := strings.Cut(line, "error ")
			code, _, _ := strings.Cut(rest, ":")
			d.fail(path[:max(0, strings.IndexAny(path, "(:"))], code, i, goesOn(out, i))
			if next := goesOn(out, i); d.isFirst() && next == i+1 && out.line(next) == "" { // the source line, then a mark below it
				d.addRange(detail, i+2, i+4)
			}
		case strings.HasPrefix(line, "Found ") && strings.Contains(line, " error"):
			found = max(0, number(line[len("Found "):]))
			d.add(verdict, i)
		}
	}
	if d.errors > 0 && (found == 0 || found == d.errors) {
		d.name = "tsc"
	}
	return d.reading
}

// isTypeScriptError reports whether a line has "error TS", digits and a colon behind a place or at its beginning.
func isTypeScriptError(line string) bool {
	before, code, found := strings.Cut(line, "error TS")
	if n := digits(code); !found || n == 0 || !strings.HasPrefix(code[n:], ":") {
		return false
	}
	return before == "" || indent(line) == 0 && (strings.HasSuffix(before, "): ") || strings.HasSuffix(before, " - "))
}
