package preview

import "strings"

// A goBuild reads what go build and go vet report: "# package", then "./file.go:line:column: message", which may go on in lines that
// begin with a tab; and what go says before it compiles: "go: …", "package a", "\timports b: import cycle not allowed".
type goBuild struct{}

func (goBuild) read(out *output) reading {
	d := diagnostics{}
	inPackage := false // below a header
	for i := range out.lines() {
		line := out.line(i)
		switch {
		case strings.HasPrefix(line, "# "):
			inPackage = isGoError(out.line(i+1), true) || strings.HasPrefix(out.line(i+1), "# [")
		case line == "too many errors" || strings.HasSuffix(line, ": too many errors"):
			d.add(verdict, i)
		case isGoError(line, inPackage) || isGoComplaint(line):
			at, _ := placeOf(strings.TrimPrefix(line, "vet: "))
			d.fail(at.path, "", i, goesOn(out, i))
		case strings.HasPrefix(line, "package ") && strings.HasPrefix(out.line(i+1), "\timports "):
			d.fail("", "", i, goesOn(out, i))
			d.addRange(cause, i+1, min(goesOn(out, i), i+6))
		default:
			inPackage = inPackage && strings.HasPrefix(line, "\t")
		}
	}
	if d.errors > 0 {
		d.name = "go build"
	}
	return d.reading
}

// isGoError reports whether a line is a diagnostic. Below the header of a package it may lack the column.
func isGoError(line string, inPackage bool) bool {
	if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
		return false
	}
	line = strings.TrimPrefix(line, "vet: ")
	at, ok := placeOf(line)
	return ok && strings.HasSuffix(at.path, ".go") && (inPackage || at.column)
}

// isGoComplaint reports whether the go command gives up: "go: cannot find main module", but not "go: downloading …".
func isGoComplaint(line string) bool {
	text, ok := strings.CutPrefix(line, "go: ")
	if !ok {
		return false
	}
	for _, progress := range []string{"downloading ", "finding ", "extracting ", "added ", "upgraded ", "downgraded ", "removed ", "creating ", "to add ", "warning: "} {
		if strings.HasPrefix(text, progress) {
			return false
		}
	}
	return true
}

// maxBelow bounds the lines that belong to one diagnostic.
const maxBelow = 8

// goesOn returns the line behind those that begin with a tab or blanks below a line.
func goesOn(out *output, line int) int {
	end := line + 1
	for end < min(line+maxBelow, out.lines()) && indent(out.line(end)) > 0 {
		end++
	}
	return end
}
