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

	"tidepool/internal/checkout"
	"tidepool/lsp"
)

// grep returns what a person would run first: grep -rnw NAME.
func grep(ctx context.Context, m *checkout.Checkout, c testCase, pattern string) (answer, error) {
	cmd := exec.CommandContext(ctx, "grep", "-rnw", "--include="+pattern, "-e", c.Name, ".")
	cmd.Dir = m.Dir
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
func references(ctx context.Context, m *checkout.Checkout, p *lsp.Project, c testCase) (answer, error) {
	begin := time.Now()
	view, err := p.View(ctx, lsp.ViewOptions{Budget: time.Minute})
	if err != nil {
		return answer{}, err
	}
	at := lsp.At(filepath.Join(m.Dir, filepath.FromSlash(c.Decl.File)), c.Decl.Line, c.Decl.Col)
	found, err := view.References(ctx, at, false)
	if err != nil {
		return answer{}, err
	}
	a := answer{requests: 1}
	for _, l := range found {
		path, ok := m.Below(l.Path)
		if !ok {
			return answer{}, fmt.Errorf("%s is not in the module", l.Path)
		}
		p := place{path, l.Range.Start.Line}
		a.places = append(a.places, p)
		a.text += len(fmt.Sprintf("%s:%d\n", p.file, p.line))
	}
	a.took = time.Since(begin)
	return a, nil
}
