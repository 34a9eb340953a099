package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"tidepool/controlserver/internal/serve"
	"tidepool/internal/daemon"
	"tidepool/internal/unixsock"
	"tidepool/protocol"
	"tidepool/scout"
	"tidepool/scout/render"
)

// Call calls a tool of the daemon.
type Call struct {
	Tool      string        `arg:"" optional:"" help:"Name of the tool, such as teach-graph. Without it all tools are listed."`
	Arguments []string      `arg:"" optional:"" help:"Its arguments: a JSON object, or words. NAME=VALUE gives one argument, all other words are the main one."`
	JSON      bool          `help:"Print the result as one line of JSON, instead of the text that a model reads."`
	Timeout   time.Duration `help:"How long the call may take." default:"5m"`
}

// Run calls a tool of the daemon that serves the project, as a model does.
func (c *Call) Run(ctx context.Context, place protocol.Place, std Stdio) error {
	all, err := serve.Catalogue()
	if err != nil {
		return err
	}
	if c.Tool == "" {
		return printed(std.Out, all.Index(), nil)
	}
	arguments, err := all.Arguments(c.Tool, c.Arguments)
	if err != nil {
		return err
	}
	caller := toolCaller{place: place, timeout: c.Timeout}
	answered := noteWait(std.Err)
	response, err := caller.call(ctx, c.Tool, arguments)
	answered()
	if err != nil {
		return err
	}
	if c.JSON || response.Text == "" {
		_, err = fmt.Fprintf(std.Out, "%s\n", response.Result)
	} else {
		_, err = fmt.Fprintln(std.Out, response.Text)
	}
	return err
}

// Scout asks scout.
type Scout struct {
	Arguments []string      `arg:"" help:"The question in words, and arguments as NAME=VALUE; or all arguments as a JSON object."`
	Mermaid   bool          `help:"Print the answer as a diagram in the Mermaid language: what breaks, and what must be looked at, by file." xor:"form"`
	JSON      bool          `help:"Print the result as one line of JSON, instead of the text that a model reads." xor:"form"`
	Timeout   time.Duration `help:"How long the call may take." default:"5m"`
}

// Run asks the daemon that serves the project.
func (c *Scout) Run(ctx context.Context, place protocol.Place, std Stdio) error {
	const tool = "scout"
	if !c.Mermaid {
		return (&Call{Tool: tool, Arguments: c.Arguments, JSON: c.JSON, Timeout: c.Timeout}).Run(ctx, place, std)
	}
	all, err := serve.Catalogue()
	if err != nil {
		return err
	}
	arguments, err := all.Arguments(tool, c.Arguments)
	if err != nil {
		return err
	}
	answered := noteWait(std.Err)
	response, err := (toolCaller{place: place, timeout: c.Timeout}).call(ctx, tool, arguments)
	answered()
	if err != nil {
		return err
	}
	var answer scout.Answer
	if err := json.Unmarshal(response.Result, &answer); err != nil {
		return fmt.Errorf("reading scout's answer: %w", err)
	}
	if certain, others := answer.Touched(); len(certain)+len(others) == 0 {
		return &commandError{"there is nothing to draw: " + answer.Summary, "without --mermaid scout says in words what it found"}
	}
	return printed(std.Out, render.Mermaid(&answer), nil)
}

// A toolCaller calls tools of the daemon of a place.
type toolCaller struct {
	place   protocol.Place
	timeout time.Duration // of one call
}

// call runs a tool. The call is cancelled with ctx.
func (t toolCaller) call(ctx context.Context, tool string, arguments json.RawMessage) (*protocol.MCPToolResponse, error) {
	if !json.Valid(arguments) {
		return nil, &UsageError{Err: fmt.Errorf("the arguments of %s are not valid JSON: %s", tool, arguments)}
	}
	_, running, err := daemon.Find(daemon.LockPath(t.place.Socket))
	if err != nil {
		return nil, err
	}
	if !running {
		return nil, notRunning(t.place)
	}
	conn, err := dial(t.place.Socket, time.Now().Add(t.timeout))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })() // which is how the daemon hears of it
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	request := &protocol.MCPToolCall{
		ID: "call", ToolName: tool, Arguments: arguments, TimeoutMS: t.timeout.Milliseconds(), Meta: &protocol.CallMeta{Cwd: cwd, Client: "controlserver"},
	}
	if _, err := conn.Write(protocol.AppendRequest(nil, request)); err != nil {
		return nil, err
	}
	response, err := awaitResponse(conn)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return response, err
}

// awaitResponse reads up to the end of the one call of a connection.
func awaitResponse(conn *unixsock.Conn) (*protocol.MCPToolResponse, error) {
	lines := protocol.NewReader(conn)
	for {
		line, err := lines.ReadLine()
		if err != nil {
			return nil, fmt.Errorf("waiting for the daemon's answer: %w", err)
		}
		message, err := protocol.DecodeResponse(line)
		if err != nil {
			return nil, err
		}
		switch m := message.(type) {
		case *protocol.ErrorResponse:
			return nil, m.Error
		case *protocol.MCPToolResponse:
			if m.Error != nil {
				return nil, m.Error
			}
			return m, nil
		}
	}
}

// Tools describes the tools, from this program's own list: no daemon is asked.
type Tools struct {
	Name     string `arg:"" optional:"" help:"Describe this tool instead of listing all."`
	Markdown bool   `help:"Print all tools in full, as TOOL.md." xor:"form"`
	JSON     bool   `help:"Print all tools, or the one that is named, as schema.json." xor:"form"`
	Write    string `help:"Write TOOL.md and schema.json into this directory, which exists." placeholder:"DIR" type:"existingdir" xor:"form"`
}

// Run prints what was asked for.
func (c *Tools) Run(std Stdio) error {
	if c.Write != "" && c.Name != "" {
		return &UsageError{Err: fmt.Errorf("--write has all tools: leave out %s", c.Name)}
	}
	all, err := serve.Catalogue()
	if err != nil {
		return err
	}
	schema := all.JSON
	if c.Name != "" {
		schema = func() ([]byte, error) { return all.ToolJSON(c.Name) }
	}
	switch {
	case c.Write != "":
		text, err := schema()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(c.Write, "TOOL.md"), []byte(all.Markdown()), 0o644); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(c.Write, "schema.json"), text, 0o644)
	case c.JSON:
		text, err := schema()
		return printed(std.Out, string(text), err)
	case c.Name != "":
		text, err := all.Tool(c.Name)
		return printed(std.Out, text, err)
	case c.Markdown:
		return printed(std.Out, all.Markdown(), nil)
	}
	return printed(std.Out, all.Index(), nil)
}

func printed(out io.Writer, text string, err error) error {
	if err == nil {
		_, err = io.WriteString(out, text)
	}
	return err
}
