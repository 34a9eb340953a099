package main

import (
	"tidepool/internal/figures"
	"tidepool/internal/measure"
	"tidepool/internal/sandbox/escape"
)

// confined returns the groups about the sandbox, and their steps.
func confined() ([]figures.Group, map[string]measure.Step) {
	return []figures.Group{{Name: "escapes", Rows: escapes}, {Name: "cost", Rows: cost}}, map[string]measure.Step{"true": measureTrue}
}

// serve does what this process was started for by a group about the sandbox. It returns if it was started by a person.
func serve() { escape.Serve() }
