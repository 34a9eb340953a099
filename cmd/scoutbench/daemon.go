package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tidepool/internal/checkout"
)

// A daemon is asked about one module.
type daemon struct{ *checkout.Daemon }

// serve starts a daemon, and waits until the language server knows the module. Unless it measures it estimates which tests run what.
func (b *bench) serve(ctx context.Context, m *checkout.Checkout, measures bool) (*daemon, error) {
	d, err := m.ServeReady(ctx, fmt.Sprintf(`{"scout":{"scorer":%q,"measure_tests":%t}}`, b.scorer, measures))
	return &daemon{d}, err
}

// A question is what is sent to scout.
type question struct {
	Query   string   `json:"query"`
	Symbols []string `json:"symbols"`
	Change  string   `json:"change,omitempty"`
}

// A reply is what of scout's result counts here.
type reply struct {
	Pointers []struct {
		Location string `json:"location"`
	} `json:"pointers"`
	Requests int `json:"requests"`
}

// scout asks the tool.
func (d *daemon) scout(ctx context.Context, q question) (answer, error) {
	begin := time.Now()
	response, err := d.Call(ctx, "scout", q)
	if err != nil {
		return answer{}, err
	}
	a := answer{took: time.Since(begin), text: len(response.Text)}
	if response.Error != nil {
		return a, errors.New(response.Error.Message)
	}
	var r reply
	if err := json.Unmarshal(response.Result, &r); err != nil {
		return a, fmt.Errorf("reading the result: %w", err)
	}
	a.requests = r.Requests
	for _, p := range r.Pointers {
		colon := strings.LastIndexByte(p.Location, ':')
		line, err := strconv.Atoi(p.Location[colon+1:])
		if err != nil {
			return a, fmt.Errorf("location %q: %w", p.Location, err)
		}
		a.places = append(a.places, place{p.Location[:colon], line})
	}
	return a, nil
}
