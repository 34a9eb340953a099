package diagnostics

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tidepool/internal/wording"
)

// maxLine bounds one line of a report, in bytes.
const maxLine = 400

// render writes errors for a model: those in the edited files first, at most so many lines, and a count of the rest.
// Paths below root are relative to it.
func render(list []Problem, more, lines int, root string, edited []string) string {
	if len(list) == 0 {
		return ""
	}
	slices.SortStableFunc(list, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(elsewhere(a, edited), elsewhere(b, edited)),
			strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	var text strings.Builder
	total := len(list) + more
	fmt.Fprintf(&text, "tidepool: %s that %s not there before:", wording.Count(total, "error"), be(total))
	shown := list[:min(lines, len(list))]
	for _, p := range shown {
		text.WriteString("\n" + p.show(root))
	}
	if rest := total - len(shown); rest > 0 {
		fmt.Fprintf(&text, "\n… and %d more", rest)
		if files := filesOf(list[len(shown):]); more == 0 {
			fmt.Fprintf(&text, " in %s", wording.Count(files, "file"))
		}
	}
	return text.String()
}

func be(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func filesOf(list []Problem) int {
	files := map[string]bool{}
	for _, p := range list {
		files[p.Path] = true
	}
	return len(files)
}

// elsewhere is 0 for an error in one of the files, else 1.
func elsewhere(p Problem, files []string) int {
	if slices.Contains(files, p.Path) {
		return 0
	}
	return 1
}

// show writes an error as compilers do.
func (p Problem) show(root string) string {
	path := p.Path
	if relative, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(relative) {
		path = filepath.ToSlash(relative)
	}
	line := printable(fmt.Sprintf("%s:%d:%d: %s", path, p.Line, p.Column, p.Message))
	if len(line) > maxLine {
		line = strings.ToValidUTF8(line[:maxLine-len("…")], "") + "…"
	}
	return line
}

// printable writes out the characters of a foreign text that are not printable.
func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}
