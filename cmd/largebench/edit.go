package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"tidepool/lsp"
)

// An edit is a function more at the end of a file, and functions that call it.
type edit struct {
	path  string
	first string // the text of the file before
	text  string
	added symbol
	calls int
}

// newEdit writes the n-th edit of a file, n from 1: it has so many calls.
func (p *project) newEdit(path string, n int) (edit, error) {
	source, err := os.ReadFile(p.absolute(path))
	if err != nil {
		return edit{}, err
	}
	name := fmt.Sprintf("TidepoolBench%d", n)
	e := edit{path: path, first: string(source), calls: n}
	e.text = e.first + addition(p.language, name, n)
	before, _, _ := strings.Cut(e.text, name)
	line := 1 + strings.Count(before, "\n")
	e.added = symbol{kind: function, path: path, name: name, line: line, column: len(before) - strings.LastIndexByte(before, '\n')}
	return e, nil
}

// addition returns declarations in a language: of a function, and of functions that call it once each.
func addition(language, name string, calls int) string {
	forms := map[string]string{
		"go":         "\nfunc %s() {%s}\n",
		"typescript": "\nexport function %s() {%s}\n",
		"python":     "\n\ndef %s():\n    return %s\n",
		"c":          "\nint %s(void) { return %s; }\n",
	}
	nothing, call := "", " "+name+"() "
	if language == "python" || language == "c" {
		nothing, call = "0", name+"()"
	}
	text := fmt.Sprintf(forms[language], name, nothing)
	for i := range calls {
		text += fmt.Sprintf(forms[language], fmt.Sprintf("Calls%sAs%d", name, i+1), call)
	}
	return text
}

// play makes an edit, asks for the calls of the new function until the answer is right and complete, and takes the edit back, until the side
// has taken that in. It returns the time from the edit to that answer.
func (e edit) play(ctx context.Context, of *side) (took time.Duration, err error) {
	begin := time.Now()
	if err := of.change(ctx, e.path, e.text); err != nil {
		return 0, err
	}
	for {
		a, err := of.ask(ctx, e.added)
		if err != nil {
			return 0, err
		}
		if a.uses == e.calls && a.state != lsp.Indexing {
			break
		}
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
	}
	took = time.Since(begin)
	return took, of.revert(ctx, e.path, e.first)
}

// playEdits makes so many edits of a file, one after the other.
func (p *project) playEdits(ctx context.Context, of *side, path string, count int) (times []time.Duration, err error) {
	for n := range count {
		e, err := p.newEdit(path, n+1)
		if err != nil {
			return times, err
		}
		took, err := e.play(ctx, of)
		if err != nil {
			restored := os.WriteFile(p.absolute(path), []byte(e.first), 0o600) // the limit has cut the edit short
			return times, errors.Join(fmt.Errorf("edit %d of %s: %w", n+1, path, err), restored)
		}
		times = append(times, took)
	}
	return times, nil
}
