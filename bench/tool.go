package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"tidepool/lsp"
	"tidepool/tools"
)

// measured is a function of this repository with callers in several packages.
const measured = `{"name":"protocol.DecodeRequest"}`

// measureFindCallers asks one gopls in turn for the bare references and for
// the whole answer, both through the same connection.
func measureFindCallers(ctx context.Context, b *bench) (figure, error) {
	project, err := lsp.Open(lsp.Options{Root: b.root, Env: append(os.Environ(), "PATH="+b.bin+":"+os.Getenv("PATH"))})
	if err != nil {
		return figure{}, err
	}
	defer project.Close(context.WithoutCancel(ctx))
	if err := project.WaitReady(ctx); err != nil {
		return figure{}, err
	}
	registry := tools.NewRegistry()
	if err := registry.Discover(&tools.Code{Project: project, Root: b.root}); err != nil {
		return figure{}, err
	}
	tool := func() error {
		_, err := registry.Call(ctx, "find_callers", json.RawMessage(measured))
		return err
	}
	bare, err := bareReferences(ctx, project)
	if err != nil {
		return figure{}, err
	}
	const n = 200
	var toolTimes, bareTimes []time.Duration
	for i := range n + 10 {
		toolTook, err := timed(tool)
		if err != nil {
			return figure{}, err
		}
		bareTook, err := timed(bare)
		if err != nil {
			return figure{}, err
		}
		if i >= 10 { // the first ones warm both up
			toolTimes, bareTimes = append(toolTimes, toolTook), append(bareTimes, bareTook)
		}
	}
	slices.Sort(toolTimes)
	slices.Sort(bareTimes)
	ours, theirs := toolTimes[n/2], bareTimes[n/2]
	ratio := float64(ours) / float64(theirs)
	return figure{
		ratio:  fmt.Sprintf("%.2f×", ratio),
		detail: fmt.Sprintf("%s against %s, medians of %d", round(ours), round(theirs), n),
		held:   ratio <= 1.2,
	}, nil
}

// bareReferences returns a function that sends only textDocument/references.
func bareReferences(ctx context.Context, project *lsp.Project) (func() error, error) {
	view, err := project.View(ctx, lsp.ViewOptions{})
	if err != nil {
		return nil, err
	}
	symbols, err := view.Symbols(ctx, "DecodeRequest")
	if err != nil {
		return nil, err
	}
	for _, symbol := range symbols {
		if symbol.Name == "DecodeRequest" && symbol.Package == "tidepool/protocol" {
			return func() error {
				_, err := view.References(ctx, symbol.Location, false)
				return err
			}, nil
		}
	}
	return nil, fmt.Errorf("protocol.DecodeRequest is not among %d symbols", len(symbols))
}

func timed(f func() error) (time.Duration, error) {
	start := time.Now()
	err := f()
	return time.Since(start), err
}
