package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/server"
	"tidepool/protocol"
)

// A daemon serves the suite's tools on a project's socket. It is replaced, as
// by an upgrade, when a tool asks for other tools. Goroutines: the server's,
// and one while it is replaced.
type daemon struct {
	project string

	mu         sync.Mutex // held while a server is replaced
	generation int        // how many servers there have been
	end        func() error
	replacing  sync.WaitGroup
}

// startDaemon makes dir a project and serves it.
func startDaemon(dir string) (*daemon, error) {
	d := &daemon{project: dir}
	return d, d.start()
}

func (d *daemon) start() (err error) {
	d.generation++
	d.end, err = daemontest.Serve(d.project, serverOptions(&fixtures{generation: d.generation, replace: d.replace}))
	return err
}

// serverOptions are those of a daemon with the suite's tools, prompts and resources.
func serverOptions(tools server.Tools) server.Options {
	return server.Options{
		Tools:        tools,
		Features:     newFeatures(),
		Advice:       "These tools are for a conformance suite.",
		DrainTimeout: time.Second,
	}
}

// replace begins to put another server with other tools in the place of this
// one, which finishes the call that asked for it.
func (d *daemon) replace() {
	d.replacing.Go(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if err := errors.Join(d.end(), d.start()); err != nil {
			fmt.Fprintf(os.Stderr, "replacing the daemon: %v\n", err)
		}
	})
}

func (d *daemon) stop() error {
	d.replacing.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.end()
}

// fixtures are the tools that the suite calls and that need nothing but text.
type fixtures struct {
	generation int
	replace    func()
}

// schema2020 is what the suite wants to see unchanged.
const schema2020 = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",` +
	`"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},` +
	`"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},` +
	`"phone":{"type":"string"},"email":{"type":"string"}},` +
	`"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],` +
	`"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},` +
	`"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}`

// schemaOfHeader has an argument that clients of HTTP repeat in a header.
const schemaOfHeader = `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}},"additionalProperties":false}`

// List has one more tool in each generation of the daemon.
func (f *fixtures) List() []protocol.ToolDefinition {
	schema := json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)
	list := []protocol.ToolDefinition{
		{Name: "test_simple_text", Description: "Answers with a text.", InputSchema: schema, Annotations: json.RawMessage(`{"readOnlyHint":true}`)},
		{Name: "test_error_handling", Description: "Fails.", InputSchema: schema},
		{Name: "test_tool_with_progress", Description: "Tells how far it is.", InputSchema: schema},
		{Name: "test_logging_tool", Description: "Logs nothing.", InputSchema: schema},
		{Name: "test_streaming_elicitation", Description: "Asks nothing.", InputSchema: schema},
		{Name: "test_trigger_tool_change", Description: "Changes the list of tools.", InputSchema: schema},
		{Name: "json_schema_2020_12_tool", Description: "Has a schema of many words.", InputSchema: json.RawMessage(schema2020)},
		{Name: "test_header", Description: "Has an argument that is in a header, too.", InputSchema: json.RawMessage(schemaOfHeader)},
	}
	for i := 1; i < f.generation; i++ {
		list = append(list, protocol.ToolDefinition{Name: fmt.Sprint("added_", i), Description: "Was added.", InputSchema: schema})
	}
	return list
}

// Call does what the name says.
func (f *fixtures) Call(ctx context.Context, call *protocol.MCPToolCall, caller server.Caller) (server.Result, error) {
	switch call.ToolName {
	case "test_error_handling":
		return server.Result{}, errors.New("this tool fails for the sake of the test")
	case "test_tool_with_progress":
		for _, done := range []float64{0, 50, 100} {
			caller.Progress(done, 100, "counting")
		}
	case "test_trigger_tool_change":
		f.replace()
	case "test_simple_text", "test_logging_tool", "test_streaming_elicitation", "json_schema_2020_12_tool", "test_header":
	default:
		return server.Result{}, &protocol.Error{Code: protocol.CodeMethodNotFound, Message: "unknown tool " + call.ToolName}
	}
	return server.Result{JSON: json.RawMessage(`{}`), Text: "done"}, nil
}
