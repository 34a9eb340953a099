package main

import (
	"context"
	"encoding/json"
	"fmt"

	"tidepool/internal/checkout"
	"tidepool/lsp"
)

// A daemon is asked about one project.
type daemon struct {
	*checkout.Daemon
	subject *subject
}

// serve starts a daemon in a project, and waits until its language servers know the project.
func (c *subject) serve(ctx context.Context) (*daemon, error) {
	running, err := c.ServeReady(ctx, checkout.Quiet)
	return &daemon{running, c}, err
}

// An answer is what of find_callers' result counts here.
type answer struct {
	File  *string `json:"definition_file"`
	Line  int     `json:"definition_line"`
	Sites []struct {
		File   string `json:"file"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
		Kind   string `json:"kind"`
	} `json:"call_sites"`
	Unresolved int `json:"unresolved_total"`
	Candidates []struct {
		Name string `json:"name"`
		File string `json:"file"`
		Line int    `json:"line"`
	} `json:"candidates"`
	Completeness lsp.Completeness `json:"completeness"`

	text string
}

// callers asks find_callers.
func (d *daemon) callers(ctx context.Context, name string) (answer, error) {
	response, err := d.Call(ctx, "find_callers", map[string]any{"name": name, "max_results": 1000, "wait_seconds": 120})
	if err != nil {
		return answer{}, err
	}
	if response.Error != nil {
		return answer{text: response.Error.Message}, nil
	}
	a := answer{text: response.Text}
	if err := json.Unmarshal(response.Result, &a); err != nil {
		return answer{}, fmt.Errorf("reading the answer about %s: %w", name, err)
	}
	return a, nil
}

// byName asks for a function by its name alone.
func (d *daemon) byName(ctx context.Context, f function) (answer, error) {
	return d.meaning(ctx, f.Name, f)
}

// byFile asks for a function behind the path of its file.
func (d *daemon) byFile(ctx context.Context, f function) (answer, error) {
	return d.meaning(ctx, f.At.Path+":"+f.Name, f)
}

// meaning asks for a name. Of the candidates of an ambiguous one it asks for the one that stands where the function does.
func (d *daemon) meaning(ctx context.Context, name string, f function) (answer, error) {
	a, err := d.callers(ctx, name)
	if err != nil || a.File != nil {
		return a, err
	}
	for _, c := range a.Candidates {
		if path, ok := d.subject.Below(c.File); ok && path == f.At.Path && c.Line == f.At.Line {
			return d.callers(ctx, c.Name)
		}
	}
	return a, nil
}
