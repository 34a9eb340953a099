package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/checkout"
	"tidepool/internal/daemontest"
	"tidepool/lsp"
	"tidepool/protocol"
)

// A daemon is asked about one project.
type daemon struct {
	*checkout.Daemon
	project *project
	tally   *tally
}

// serve starts a daemon in a project. It measures no tests, which would take the processor from what is timed.
func serve(ctx context.Context, p *project, t *tally) (*daemon, error) {
	running, err := p.checkout("ours").Serve(ctx, checkout.Quiet)
	return &daemon{running, p, t}, err
}

// side returns the daemon as one of the two that are measured.
func (d *daemon) side() *side {
	write := func(_ context.Context, path, text string) error {
		return os.WriteFile(filepath.Join(d.project.dir, filepath.FromSlash(path)), []byte(text), 0o600)
	}
	of := &side{pid: d.PID, ask: d.callers, change: write, stop: d.Stop}
	of.ready = func(context.Context) error { return nil }            // its answers say how complete they are
	of.revert = func(ctx context.Context, path, text string) error { // and waits, as the bare server does, for what that makes the server do
		if err := write(ctx, path, text); err != nil {
			return err
		}
		return firstComplete(ctx, of, d.project.sample[function][0])
	}
	return of
}

// found is what is read of an answer of find_callers.
type found struct {
	DefinitionFile *string          `json:"definition_file"`
	Total          int              `json:"total"`
	Filtered       int              `json:"filtered_count"`
	Unresolved     int              `json:"unresolved_total"`
	Completeness   lsp.Completeness `json:"completeness"`
	Candidates     []struct {
		Name, File string
		Line       int
	}
}

// callers asks find_callers, as a model does: of the candidates of a name that means several things for the one at its place.
func (d *daemon) callers(ctx context.Context, s symbol) (answer, error) {
	a, of, err := d.callersOf(ctx, s.asked())
	for _, c := range of.Candidates {
		if err == nil && c.Line == s.line && d.project.below(c.File) == s.path {
			first := a.took
			a, _, err = d.callersOf(ctx, c.Name)
			a.took, a.slow = first+a.took, max(first, a.took)
			break
		}
	}
	if err == nil {
		d.tally.add(a)
	}
	return a, err
}

func (d *daemon) callersOf(ctx context.Context, name string) (a answer, of found, err error) {
	response, took, err := d.timed(ctx, "find_callers", map[string]any{"name": name})
	if err != nil {
		return a, of, err
	}
	a = answer{took: took, slow: took, said: firstLine(response.Text)}
	if response.Error == nil {
		if err := json.Unmarshal(response.Result, &of); err != nil {
			return a, of, fmt.Errorf("find_callers %s: %w", name, err)
		}
		a.wrong = of.DefinitionFile == nil && strings.Contains(a.said, "not found")
	}
	a.uses, a.more, a.state = of.Total, of.Filtered+of.Unresolved, of.Completeness.State
	return a, of, nil
}

// timed runs one tool on a connection of its own.
func (d *daemon) timed(ctx context.Context, tool string, arguments any) (*protocol.MCPToolResponse, time.Duration, error) {
	begin := time.Now()
	response, err := d.Call(ctx, tool, arguments)
	return response, time.Since(begin), err
}

// restarts returns how often language servers were started again so far, with the daemon's reasons.
func (d *daemon) restarts(ctx context.Context) (int, []string, error) {
	status, err := daemontest.Ask[*protocol.StatusResponse](ctx, d.Socket(), &protocol.StatusRequest{})
	if err != nil {
		return 0, nil, err
	}
	count, notes := 0, []string{}
	for _, server := range status.LanguageServers {
		count += server.Restarts
		if server.Note != "" {
			notes = append(notes, server.Note)
		}
	}
	return count, notes, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
