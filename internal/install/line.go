package install

import (
	"slices"
	"strings"
)

// A Line is what a person would type into a POSIX shell: commands of plain words with " && " between them. "~/" at the beginning of a
// word is the home directory. It knows no quotes.
type Line string

// commands returns the words of each command.
func (l Line) commands(home string) (all [][]string) {
	for text := range strings.SplitSeq(string(l), " && ") {
		words := strings.Fields(text)
		for i, w := range words {
			if below, is := strings.CutPrefix(w, "~/"); is {
				words[i] = home + "/" + below
			}
		}
		all = append(all, words)
	}
	return all
}

// runs returns the program that a command runs, and whether by sudo; "" if none of those that are run here.
func runs(words []string) (program string, bySudo bool) {
	if len(words) > 1 && words[0] == "sudo" {
		program, bySudo = words[1], true
	} else if len(words) > 0 {
		program = words[0]
	}
	if !slices.Contains([]string{"go", "npm", "apt-get"}, program) || bySudo && program != "apt-get" {
		return "", false
	}
	return program, bySudo
}
