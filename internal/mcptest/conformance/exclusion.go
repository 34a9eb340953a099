package main

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// An exclusion says why scenarios or single checks do not apply. This table is
// the only place that says so.
type exclusion struct {
	names  string // of scenarios or checks, with *; separated by spaces
	reason string
	used   int
}

// agentExclusions are those of agent mcp.
func agentExclusions() []*exclusion {
	return append(toolExclusions(),
		&exclusion{names: "server-sse-* server-session-lifecycle dns-rebinding-protection http-*", reason: "judges the HTTP transport, which is the bridge's"})
}

// portExclusions are those of the daemon's port.
func portExclusions() []*exclusion {
	return append(toolExclusions(),
		&exclusion{names: "server-sse-polling", reason: "no stream is resumed, since the server keeps no events"})
}

// toolExclusions are those of what every door offers.
func toolExclusions() []*exclusion {
	return []*exclusion{
		{names: "resources-subscribe resources-unsubscribe", reason: "no resource can be subscribed to"},
		{names: "tools-call-with-logging", reason: "log messages are about the daemon, and no tool sends one"},
		{names: "tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content", reason: "tools answer with text"},
		{names: "tools-call-sampling", reason: "no tool asks the client for a model"},
		{names: "tools-call-elicitation elicitation-* input-required-result-*", reason: "questions to the user have forms of their own, which the official SDK's client answers in go test ./internal/mcptest"},
		{names: "sep-2575-server-rejects-undeclared-capability sep-2575-missing-capability-http-400", reason: "no tool needs a capability of the client"},
		{names: "tasks-*", reason: "the extension is not offered"},
	}
}

func (e *exclusion) matches(name string) bool {
	for pattern := range strings.FieldsSeq(e.names) {
		if ok, err := path.Match(pattern, name); ok && err == nil {
			return true
		}
	}
	return false
}

func excluded(all []*exclusion, name string) bool {
	for _, e := range all {
		if e.matches(name) {
			e.used++
			return true
		}
	}
	return false
}

func tell(all []*exclusion) {
	for _, e := range all {
		fmt.Printf("    does not apply: %s (%s)\n", e.names, e.reason)
	}
}

// unused is the error that there are exclusions of nothing.
func unused(all []*exclusion) error {
	var failures []error
	for _, e := range all {
		if e.used == 0 {
			failures = append(failures, fmt.Errorf("nothing is called %s any more: take the exclusion out", e.names))
		}
	}
	return errors.Join(failures...)
}
