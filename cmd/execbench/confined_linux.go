package main

import (
	"tidepool/internal/figures"
	"tidepool/internal/measure"
)

// confined returns the groups about the sandbox, and their steps.
func confined() ([]figures.Group, map[string]measure.Step) {
	return []figures.Group{{Name: "escapes", Rows: escapes}, {Name: "cost", Rows: cost}}, map[string]measure.Step{"true": measureTrue}
}
