package gopackage

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// maxWords bounds the words that are kept of one declaration.
const maxWords = 2000

// wordsIn are the words that the names and texts in a piece of syntax are made of.
func wordsIn(root ast.Node) []string {
	found := make(map[string]bool)
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			addWords(found, n.Name)
		case *ast.BasicLit:
			if n.Kind == token.STRING && len(n.Value) < 1000 {
				addWords(found, n.Value)
			}
		}
		return len(found) < maxWords
	})
	return slices.Sorted(maps.Keys(found))
}

func addWords(found map[string]bool, text string) {
	for _, word := range Words(text) {
		found[word] = true
	}
}

// Words splits a name or text into words of three letters or more in lower case: NotFoundHandler is not, found, handler.
func Words(text string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 2 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	runes := []rune(text)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0:
			nextLower := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && nextLower {
				end()
			}
		}
		word = append(word, r)
	}
	end()
	return words
}
