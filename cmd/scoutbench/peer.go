package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tidepool/lsp"
)

// grep returns what a person would run first: grep -rnw NAME.
func (m *module) grep(ctx context.Context, c testCase, pattern string) (answer, error) {
	cmd := exec.CommandContext(ctx, "grep", "-rnw", "--include="+pattern, "-e", c.Name, ".")
	cmd.Dir = m.dir
	begin := time.Now()
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) { // 1: found nothing
		return answer{}, fmt.Errorf("grep: %w", err)
	}
	a := answer{text: len(out), took: time.Since(begin)}
	for line := range strings.Lines(string(out)) {
		path, rest, _ := strings.Cut(strings.TrimPrefix(line, "./"), ":")
		number, _, _ := strings.Cut(rest, ":")
		if n, err := strconv.Atoi(number); err == nil {
			a.places = append(a.places, place{path, n})
		}
	}
	return a, nil
}

// references returns those that the language server tells of the declaration, one a line.
func (m *module) references(ctx context.Context, p *lsp.Project, c testCase) (answer, error) {
	begin := time.Now()
	view, err := p.View(ctx, lsp.ViewOptions{Budget: time.Minute})
	if err != nil {
		return answer{}, err
	}
	at := lsp.At(filepath.Join(m.dir, filepath.FromSlash(c.Decl.File)), c.Decl.Line, c.Decl.Col)
	found, err := view.References(ctx, at, false)
	if err != nil {
		return answer{}, err
	}
	a := answer{requests: 1}
	for _, l := range found {
		path, err := filepath.Rel(m.dir, l.Path)
		if err != nil {
			return answer{}, err
		}
		p := place{filepath.ToSlash(path), l.Range.Start.Line}
		a.places = append(a.places, p)
		a.text += len(fmt.Sprintf("%s:%d\n", p.file, p.line))
	}
	a.took = time.Since(begin)
	return a, nil
}
