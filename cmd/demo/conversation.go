package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// A conversation is what an MCP client has with bin/agent mcp.
type conversation struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	calls int
}

// calls returns what the demo asks, on the code of this repository.
func calls() []struct{ tool, arguments string } {
	return []struct{ tool, arguments string }{
		{"find_callers", `{"name":"protocol.DecodeRequest","context_lines":0}`},
		{"show_fields", `{"type_name":"protocol.MCPToolCall"}`},
		{"show_constructors", `{"type_name":"protocol.Request"}`},
		{"scout", `{"query":"What breaks if I add a message type to the protocol?","symbols":["protocol.Request"],"depth":"low"}`},
	}
}

func playConversation(ctx context.Context, d *daemon) (err error) {
	c, err := startConversation(ctx, d)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := c.close(); err == nil {
			err = closeErr
		}
	}()
	if err := c.handshake(); err != nil {
		return err
	}
	for _, call := range calls() {
		if err := c.call(call.tool, call.arguments); err != nil {
			return fmt.Errorf("%s: %w", call.tool, err)
		}
	}
	return nil
}

func startConversation(ctx context.Context, d *daemon) (*conversation, error) {
	step("bin/agent mcp")
	c := &conversation{cmd: d.command(ctx, "agent", "mcp")}
	c.cmd.Stderr = os.Stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	return c, c.cmd.Start()
}

// close ends the conversation as a client does, by closing its stdin.
func (c *conversation) close() error {
	c.in.Close()
	return c.cmd.Wait()
}

func (c *conversation) handshake() error {
	took := step("initialize, tools/list")
	var init struct {
		ProtocolVersion string `json:"protocolVersion"`
		ServerInfo      struct{ Name, Version string }
	}
	if err := c.request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"demo","version":"1"}}`, &init); err != nil {
		return err
	}
	if _, err := io.WriteString(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		return err
	}
	fmt.Printf("  %s %s speaks MCP %s\n", init.ServerInfo.Name, init.ServerInfo.Version, init.ProtocolVersion)
	var list struct {
		Tools []struct{ Name, Description string }
	}
	if err := c.request("tools/list", `{}`, &list); err != nil {
		return err
	}
	for _, tool := range list.Tools {
		fmt.Printf("  %-18s %s\n", tool.Name, firstSentence(tool.Description))
	}
	took()
	return nil
}

// call prints what a model reads of one tool's answer.
func (c *conversation) call(tool, arguments string) error {
	took := step("tools/call %s %s", tool, arguments)
	done := tick("working")
	defer done()
	var result struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := c.request("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments), &result); err != nil {
		return err
	}
	done()
	for _, content := range result.Content {
		fmt.Print(indent(content.Text))
	}
	took()
	if result.IsError {
		return fmt.Errorf("the tool answered with an error")
	}
	return nil
}

// request sends one request and reads until its answer; notifications between
// are passed over.
func (c *conversation) request(method, params string, result any) error {
	c.calls++
	if _, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", c.calls, method, params); err != nil {
		return err
	}
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("%s: reading the answer: %w", method, err)
		}
		var reply struct {
			ID     *int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(line, &reply); err != nil {
			return fmt.Errorf("%s: %w in %q", method, err, line)
		}
		switch {
		case reply.ID == nil || *reply.ID != c.calls:
			continue
		case reply.Error != nil:
			return fmt.Errorf("%s: %s", method, reply.Error.Message)
		}
		return json.Unmarshal(reply.Result, result)
	}
}

func firstSentence(text string) string {
	for i := range text {
		if text[i] == '\n' || text[i] == '.' && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n') {
			return text[:i]
		}
	}
	return text
}
