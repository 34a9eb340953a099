package main

import (
	"tidepool/internal/measure"
	"tidepool/internal/sandbox/escape"
)

// confined returns the groups about the sandbox, and their steps.
func confined() ([]group, map[string]measure.Step) {
	return []group{{"escapes", escapes}, {"cost", cost}}, map[string]measure.Step{"true": measureTrue}
}

// serve does what this process was started for by a group about the sandbox. It returns if it was started by a person.
func serve() { escape.Serve() }
