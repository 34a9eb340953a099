// Package mermaid writes foreign names into diagrams in the Mermaid language.
package mermaid

import (
	"fmt"
	"strings"
	"unicode"
)

// Label writes a name so that Mermaid shows it and reads nothing into it: what is no letter, digit or harmless sign becomes an
// entity, and what cannot be printed is left out.
func Label(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), strings.ContainsRune(" ._:-/", r):
			b.WriteRune(r)
		case unicode.IsPrint(r):
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
