package packages

import (
	"go/ast"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
)

// Bounds of the words that are kept of one declaration.
const (
	maxWords   = 2000
	maxLiteral = 10_000 // bytes of one text that are looked at
)

// WordsAt returns the words of the function, or variable of a package, that is declared at a place; none if it is not there.
// They are not among the facts, unless they are a test's: of a large tree they would be most of what is kept.
func WordsAt(files *syntax.Reading, at fact.Place) []string {
	f, err := files.Open(at.Path)
	if err != nil {
		return nil
	}
	parsed, _ := f.Syntax()
	is := func(name *ast.Ident) bool {
		return f.Position(name.Pos()) == syntax.Position{Line: at.Line, Column: at.Column}
	}
	for _, decl := range parsed.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if is(d.Name) {
				return wordsIn(d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.ValueSpec); ok && slices.ContainsFunc(s.Names, is) {
					return wordsIn(s)
				}
			}
		}
	}
	return nil
}

// wordsIn returns the words that the names and texts in a piece of syntax are made of.
func wordsIn(root ast.Node) []string {
	found := make(map[string]bool)
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			addWords(found, n.Name)
		case *ast.BasicLit:
			if value, err := strconv.Unquote(n.Value); err == nil {
				addWords(found, value[:min(len(value), maxLiteral)])
			}
		}
		return true
	})
	words := slices.Sorted(maps.Keys(found))
	return slices.Clip(words[:min(len(words), maxWords)])
}

func addWords(found map[string]bool, text string) {
	for _, word := range Phrases(text) {
		found[word] = true
	}
}

// Phrases returns the words of a text and the pairs of words that follow each other.
func Phrases(text string) []string {
	words := Words(text)
	for i, word := range words[min(1, len(words)):] {
		words = append(words, words[i]+" "+word)
	}
	return words
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
