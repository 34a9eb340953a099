package main

import (
	"context"
	"fmt"
	"net"

	"tidepool/protocol"
)

// A lineClient sends lines in a connection that it keeps, as the agent does.
type lineClient struct {
	conn   net.Conn
	reader *protocol.Reader
	line   []byte
	tool   protocol.MCPToolCall
}

func openLine(w *warm) (*lineClient, error) {
	conn, err := net.Dial("unix", w.Socket())
	if err != nil {
		return nil, err
	}
	return &lineClient{conn: conn, reader: protocol.NewReader(conn), tool: protocol.MCPToolCall{
		ID: "1", ToolName: "find_callers", Arguments: w.arguments, Meta: &protocol.CallMeta{Session: session},
	}}, nil
}

func (c *lineClient) close() { c.conn.Close() }

// exchange sends a request and decodes its response.
func (c *lineClient) exchange(request protocol.Request) (protocol.Response, error) {
	c.line = protocol.AppendRequest(c.line[:0], request)
	if _, err := c.conn.Write(c.line); err != nil {
		return nil, err
	}
	reply, err := c.reader.ReadLine()
	if err != nil {
		return nil, err
	}
	return protocol.DecodeResponse(reply)
}

// call calls the tool.
func (c *lineClient) call(ctx context.Context) (*protocol.MCPToolResponse, error) {
	defer context.AfterFunc(ctx, c.close)()
	message, err := c.exchange(&c.tool)
	if err != nil {
		return nil, err
	}
	response, is := message.(*protocol.MCPToolResponse)
	if !is || response.Error != nil {
		return nil, fmt.Errorf("the daemon answered %s", protocol.AppendResponse(nil, message))
	}
	return response, nil
}

// lineDoor is what the others are compared with.
func lineDoor(_ context.Context, w *warm) (door, error) {
	client, err := openLine(w)
	if err != nil {
		return door{}, err
	}
	return door{name: "by line", close: client.close, ask: func(ctx context.Context) (string, error) {
		response, err := client.call(ctx)
		if err != nil {
			return "", err
		}
		return response.Text, nil
	}}, nil
}
