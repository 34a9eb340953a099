package preview

import "strings"

// An eslint reads the stylish reporter: the path of a file, below it "  1:2  error  message  rule", and at the end
// "✖ 3 problems (2 errors, 1 warning)".
type eslint struct{}

func (eslint) read(out *output) reading {
	d := diagnostics{}
	declared, path, last := -1, -1, -1 // problems by its own count; the path above a problem; the one that was added last
	for i := range out.lines() {
		line := out.line(i)
		switch isError, ok := eslintProblem(line); {
		case ok:
			if isError && path != last {
				rank := failure
				if d.errors == 0 {
					rank = cause
				}
				d.add(rank, path)
				last = path
			}
			if isError {
				d.fail(out.line(path), line[strings.LastIndexByte(line, ' ')+1:], i, i+1)
			} else {
				d.warn(i)
			}
		case strings.HasPrefix(line, "✖ ") && strings.Contains(line, " problem"):
			declared = number(line[len("✖ "):])
			d.add(verdict, i)
		case line != "" && indent(line) == 0:
			path = i
		}
	}
	if declared < 0 || declared != d.errors+d.warnings {
		return reading{}
	}
	d.name, d.fails = "eslint", true
	return d.reading
}

// eslintProblem reads "  1:2  error  message  rule".
func eslintProblem(line string) (isError, ok bool) {
	if !strings.HasPrefix(line, "  ") {
		return false, false
	}
	fields := strings.Fields(line[:min(len(line), 200)])
	if len(fields) < 3 || !isPosition(fields[0]) {
		return false, false
	}
	return fields[1] == "error", fields[1] == "error" || fields[1] == "warning"
}

// isPosition reports whether a word is line:column.
func isPosition(word string) bool {
	n := digits(word)
	return n > 0 && n < len(word)-1 && word[n] == ':' && digits(word[n+1:]) == len(word)-n-1
}
