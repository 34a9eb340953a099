package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/ollama/ollama/api"
)

// A Form asks a model for one JSON value that fits a schema.
type Form struct {
	System string // "": none
	User   string
	Schema json.RawMessage // JSON Schema of an object; the server lets the model write nothing else
}

// Fill asks for the value of a form and decodes it into value, a pointer. Members that the value does not have are an error. Unlike
// the answers to Call, those of Fill are not remembered. Every failure is an [*Error], but for the end of ctx, which is ctx's own error.
func (c *Client) Fill(ctx context.Context, f Form, value any) error {
	request := c.options.chatRequest()
	if f.System != "" {
		request.Messages = append(request.Messages, api.Message{Role: "system", Content: Neutral(f.System)})
	}
	request.Messages = append(request.Messages, api.Message{Role: "user", Content: Neutral(f.User)})
	request.Format = f.Schema
	reply, err := c.send(ctx, request)
	if err != nil {
		return err
	}
	return c.complete(c.options.decode(reply, value))
}

// send waits for a slot and for the model, and asks.
func (c *Client) send(ctx context.Context, request *api.ChatRequest) (*api.ChatResponse, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err := c.Load(ctx); err != nil {
		return nil, err
	}
	reply, err := c.chat(ctx, c.options.Timeout, request)
	if err != nil {
		c.setWarm(0)
		return nil, err
	}
	c.setWarm(c.options.warmFor())
	return reply, nil
}

// decode accepts a finished reply that is one JSON value of the right shape.
func (o Options) decode(reply *api.ChatResponse, value any) error {
	if err := o.checkDone(reply); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(reply.Message.Content)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return &Error{Kind: WrongForm, Detail: "it is not JSON of the form that was asked for"}
	}
	if _, err := decoder.Token(); err != io.EOF {
		return &Error{Kind: WrongForm, Detail: "something follows the JSON"}
	}
	return nil
}
