// Package section rewrites the sections of a Markdown page that programs write, such as measurements and tables made
// from code.
//
// A section lies between two lines, which a reader of the page does not see:
//
//	<!-- begin NAME: written by COMMAND -->
//	<!-- end NAME -->
//
// The text between them belongs to the program, everything else to people.
package section

import (
	"fmt"
	"os"
	"strings"
)

// Replace returns page with text as its section. The markers stay, so a page must have them before a program writes to it.
func Replace(page, name, text string) (string, error) {
	begin, end, err := find(page, name)
	if err != nil {
		return "", err
	}
	return page[:begin] + "\n" + strings.TrimSpace(text) + "\n\n" + page[end:], nil
}

// find returns where the section begins, after its first marker, and ends, before its last one.
func find(page, name string) (begin, end int, err error) {
	first, last := "<!-- begin "+name+":", "<!-- end "+name+" -->"
	if strings.Count(page, first) != 1 || strings.Count(page, last) != 1 {
		return 0, 0, fmt.Errorf("the page needs one %s … --> and one %s", first, last)
	}
	line := strings.Index(page, first)
	begin = line + strings.IndexByte(page[line:], '\n') + 1
	end = strings.Index(page, last)
	if begin == line || end < begin {
		return 0, 0, fmt.Errorf("the page must have %s … --> on a line of its own, before %s", first, last)
	}
	return begin, end, nil
}

// Write puts texts into the file's sections of these names: all of them, or none and an error.
func Write(path string, texts map[string]string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	page := string(data)
	for name, text := range texts {
		if page, err = Replace(page, name, text); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return os.WriteFile(path, []byte(page), 0o644)
}
