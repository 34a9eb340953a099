package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// glosses calls count with each definition and each example of WordNet. A line of its data files has them behind a bar, parted by
// semicolons; lines of the licence begin with blanks.
func glosses(dir string, count func(string)) error {
	for _, kind := range []string{"noun", "verb", "adj", "adv"} {
		name := filepath.Join(dir, "data."+kind)
		file, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("%w: apt-get install wordnet-base", err)
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			_, gloss, ok := strings.Cut(lines.Text(), " | ")
			if !ok {
				continue
			}
			for sentence := range strings.SplitSeq(gloss, "; ") {
				count(sentence)
			}
		}
		if err := lines.Err(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// comments calls count with each sentence of the comments of Go files below dir.
func comments(dir string, count func(string)) error {
	return filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "vendor"):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, group := range file.Comments {
			sentences(group, count)
		}
		return nil
	})
}

// sentences calls count with each sentence of a comment, but for those of the licence at the head of a file.
func sentences(group *ast.CommentGroup, count func(string)) {
	text := group.Text() // without directives
	if strings.HasPrefix(text, "Copyright ") {
		return
	}
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		for sentence := range strings.SplitSeq(strings.ReplaceAll(paragraph, "\n", " "), ". ") {
			count(sentence)
		}
	}
}
