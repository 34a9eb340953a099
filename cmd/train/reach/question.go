package main

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/packages"
	"tidepool/internal/golang/reach"
	"tidepool/internal/golang/syntax"
)

// Functions that fewer or more tests run teach nothing: the former are found by their name, and of the latter any test
// will do.
const fewest, most = 3, 15

// A question is which tests run a function.
type question struct {
	examples []example
	truth    int // tests that do, also those that are no example
}

// An example is a test that may run the function.
type example struct {
	features reach.Features
	runs     bool
}

// ask asks about each function of a module.
func ask(ctx context.Context, root string, covered *coverage) ([]question, error) {
	index, err := indexOf(ctx, root)
	if err != nil {
		return nil, err
	}
	files := new(syntax.Files).Read()
	calls, entries := reach.New(index), covered.entries(root, index)
	var all []question
	for _, fn := range index.Functions {
		truth := covered.blocks[entries[fn]]
		if len(truth) < fewest || len(truth) > most {
			continue
		}
		q := question{truth: len(truth)}
		tests, features := calls.Describe(fn.At, packages.WordsAt(files, fn.At))
		for i, test := range tests {
			below, err := filepath.Rel(root, filepath.Dir(test.At.Path))
			if name := below + "|" + test.Name; err == nil && covered.tests[name] {
				q.examples = append(q.examples, example{features[i], truth[name]})
			}
		}
		all = append(all, q)
	}
	return all, nil
}

func indexOf(ctx context.Context, root string) (*packages.Index, error) {
	var sources []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".go" {
			sources = append(sources, path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	var files syntax.Files
	var cache packages.Cache
	work := cache.Begin(files.Read(), sources)
	defer work.End()
	return work.Index(ctx, work.Directories())
}

// entries finds the block with which each function begins: the first one after its name and before the next function's.
func (c *coverage) entries(root string, index *packages.Index) map[*fact.Function]block {
	lines, functions := make(map[string][]int), make(map[string][]*fact.Function)
	for at := range c.blocks {
		lines[at.file] = append(lines[at.file], at.line)
	}
	for _, fn := range index.Functions {
		if below, err := filepath.Rel(root, fn.At.Path); err == nil && !fn.Variable && !fn.Test && !fn.OtherPlatform {
			file := filepath.ToSlash(below)
			functions[file] = append(functions[file], fn)
		}
	}
	entries := make(map[*fact.Function]block)
	for file, in := range functions {
		slices.Sort(lines[file])
		for i, fn := range in {
			at, _ := slices.BinarySearch(lines[file], fn.At.Line)
			if at < len(lines[file]) && (i+1 == len(in) || lines[file][at] < in[i+1].At.Line) {
				entries[fn] = block{file, lines[file][at]}
			}
		}
	}
	return entries
}
