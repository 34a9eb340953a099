package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"tidepool/internal/checkout"
)

// explained asks a daemon about topics, with all tests measured or none, and returns what is explained of each.
func (m *module) explained(ctx context.Context, topics []topic, measured bool) (all [][]place, err error) {
	settings := checkout.Quiet
	if measured {
		settings = `{"scout":{"scorer":"heuristic"}}`
	}
	d, err := m.ServeReady(ctx, settings)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Stop()) }()
	if measured {
		if _, err := explainedOf(ctx, d, m, topics[0]); err != nil { // which begins it
			return nil, err
		}
		known, err := d.AwaitMeasured(ctx)
		if err != nil {
			return nil, err
		}
		for _, of := range known {
			fmt.Fprintf(os.Stderr, "%s: %d tests of %d packages with tests measured; %d packages cannot be measured%s\n",
				m.module, of.Tests, of.Packages, of.Failed, strings.Join(append([]string{""}, of.Reasons...), "\n  "))
		}
	}
	for _, t := range topics {
		places, err := explainedOf(ctx, d, m, t)
		if err != nil {
			return nil, err
		}
		all = append(all, places)
	}
	return all, nil
}

// explainedOf asks teach-graph with its default budget, and returns where the things that it explains are declared.
func explainedOf(ctx context.Context, d *checkout.Daemon, m *module, t topic) ([]place, error) {
	response, err := d.Call(ctx, "teach-graph", map[string]any{"topic": t.text, "seeds": t.seedNames(), "wait_seconds": 120})
	if err != nil {
		return nil, err
	}
	if response.Error != nil {
		return nil, fmt.Errorf("teach-graph about %q: %s", t.text, response.Error.Message)
	}
	type unit struct {
		Symbol struct {
			Location struct {
				URI   string `json:"locUri"`
				Range struct {
					Start struct {
						Line int `json:"posLine"`
					} `json:"rangeStart"`
				} `json:"locRange"`
			} `json:"lsLocation"`
		} `json:"tuSymbol"`
	}
	var document struct {
		Core    []unit `json:"tdCore"`
		Prereqs []unit `json:"tdPrereqs"`
		Support []unit `json:"tdSupport"`
	}
	if err := json.Unmarshal(response.Result, &document); err != nil {
		return nil, err
	}
	var all []place
	for _, units := range [][]unit{document.Core, document.Prereqs, document.Support} {
		for _, u := range units {
			at, err := url.Parse(u.Symbol.Location.URI)
			if err != nil {
				return nil, err
			}
			if path, ok := m.Below(at.Path); ok {
				all = append(all, place{path, u.Symbol.Location.Range.Start.Line + 1})
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("teach-graph explains nothing of %q: %s", t.text, response.Text)
	}
	return all, nil
}
