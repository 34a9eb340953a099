package teach

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// maxTestFiles bounds the files that are read for what tests say of themselves.
const maxTestFiles = 60

// testTexts is what tests of a record say of themselves, as far as their files were read.
type testTexts struct {
	sources map[int]string // of each test, by its index, the comment above it and the text of its declaration
	named   [][]int        // of each seed the tests that name it
}

// read reads the tests beside the seeds, then those beside tests that ran one, then others.
func (o *observation) read(ctx context.Context, seeds []lsp.Symbol) (testTexts, error) {
	texts := testTexts{sources: make(map[int]string), named: make([][]int, len(seeds))}
	files := o.testFiles(seeds)
	if err := o.OutlineAll(ctx, files); err != nil {
		return texts, err
	}
	index := make(map[query.RecordedTest]int, len(o.Tests))
	for i, t := range o.Tests {
		index[t] = i
	}
	for _, at := range files {
		if err := o.readFile(ctx, at.Path, index, seeds, &texts); err != nil {
			return texts, err
		}
	}
	return texts, nil
}

// testFiles lists the files of tests in the directories of seeds, then in those of tests that ran one, then in all of the record.
func (o *observation) testFiles(seeds []lsp.Symbol) (files []lsp.Location) {
	var dirs []string
	for _, s := range seeds {
		dirs = append(dirs, filepath.Dir(s.Location.Path))
	}
	for _, i := range o.ranOf(seeds) {
		for _, t := range o.Ran[i].Tests {
			dirs = append(dirs, o.Tests[t].Dir)
		}
	}
	for _, t := range o.Tests {
		dirs = append(dirs, t.Dir)
	}
	seen := make(map[string]bool)
	for _, dir := range dirs {
		if seen[dir] {
			continue
		}
		seen[dir] = true
		entries, _ := os.ReadDir(dir) // what cannot be read says nothing
		for _, e := range entries {
			if path := filepath.Join(dir, e.Name()); o.IsTest(path) && len(files) < maxTestFiles {
				files = append(files, lsp.Location{Path: path})
			}
		}
	}
	return files
}

// readFile takes what the tests of a file say. index has the tests of the record.
func (o *observation) readFile(ctx context.Context, path string, index map[query.RecordedTest]int, seeds []lsp.Symbol, texts *testTexts) error {
	declared, err := o.Outline(ctx, path)
	if err != nil {
		return err
	}
	text, err := o.open(path)
	if err != nil {
		return err
	}
	for _, d := range declared {
		test, ok := index[query.RecordedTest{Dir: filepath.Dir(path), Name: d.Name}]
		if !ok {
			continue
		}
		extent := spanOf(text, d.Range)
		texts.sources[test] = o.commentAbove(lsp.Location{Path: path, Range: d.Range}) + "\n" + text.Text(extent.start, extent.end)
		for i, s := range seeds {
			if names(text, s.Name, extent) {
				texts.named[i] = append(texts.named[i], test)
			}
		}
	}
	return nil
}

// names reports whether a name stands in a part of a file, whatever it means there.
func names(f sourceFile, name string, in span) bool {
	at := in.start
	for {
		next := strings.Index(f.Text(at, in.end), name)
		if next < 0 {
			return false
		}
		at += next + len(name)
		line, column := f.Position(at - len(name))
		if t := f.At(line, column); t.Kind() == lexer.Name && t.Is(name) {
			return true
		}
	}
}
