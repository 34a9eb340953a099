package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tidepool/protocol"
)

// features answer each method by a function.
type features map[string]func(context.Context, *protocol.MCPRequest) (json.RawMessage, error)

func (f features) Request(ctx context.Context, r *protocol.MCPRequest) (json.RawMessage, error) {
	if answer := f[r.Method]; answer != nil {
		return answer(ctx, r)
	}
	return nil, &protocol.Error{Code: protocol.CodeMethodNotFound, Message: "no " + r.Method, Data: json.RawMessage(`{"uri":"x"}`)}
}

func echoParams(_ context.Context, r *protocol.MCPRequest) (json.RawMessage, error) {
	return r.Params, nil
}

func requestLine(id, method string) string {
	return fmt.Sprintf(`{"type":"MCPRequest","id":%q,"method":%q,"params":{"n":%q}}`+"\n", id, method, id)
}

func TestFeatures(t *testing.T) {
	c := dial(t, serveOn(t, Options{Features: features{
		"echo": echoParams,
		"fails": func(context.Context, *protocol.MCPRequest) (json.RawMessage, error) {
			return nil, errors.New("no store")
		},
		"panic": func(context.Context, *protocol.MCPRequest) (json.RawMessage, error) { panic("a bug") },
	}}))
	c.send(requestLine("1", "echo"))
	c.expect(`{"type":"MCPResult","id":"1","result":{"n":"1"},"error":null}`)
	c.send(requestLine("2", "other"))
	c.expect(`{"type":"MCPResult","id":"2","result":null,"error":{"code":-32601,"message":"no other","data":{"uri":"x"}}}`)
	c.send(requestLine("3", "fails"))
	c.expect(`{"type":"MCPResult","id":"3","result":null,"error":{"code":-32603,"message":"no store"}}`)
	c.send(requestLine("4", "panic"))
	c.expect(`{"type":"MCPResult","id":"4","result":null,"error":{"code":-32603,"message":"panic failed: internal error: see the daemon's log"}}`)
	c.send(`{"type":"MCPRequest","id":"5"}` + "\n")
	c.expect(`…method: is required`)
}

func TestNoFeatures(t *testing.T) {
	c := dial(t, serveOn(t, Options{}))
	c.send(requestLine("1", "prompts/list"))
	c.expect(`{"type":"MCPResult","id":"1","result":null,"error":{"code":-32601,"message":"this daemon has no prompts and no resources"}}`)
}

// Requests that hang delay neither tools nor hooks, and end when their client hangs up.
func TestHungFeatures(t *testing.T) {
	begun, cancelled := make(chan struct{}, featuresAtOnce+1), make(chan struct{}, featuresAtOnce+1)
	path := serveOn(t, Options{
		Tools: scripted{"echo": func(context.Context, *protocol.MCPToolCall, Caller) (Result, error) {
			return Result{JSON: json.RawMessage(`"through"`)}, nil
		}},
		Features: features{"hang": func(ctx context.Context, _ *protocol.MCPRequest) (json.RawMessage, error) {
			begun <- struct{}{}
			<-ctx.Done()
			cancelled <- struct{}{}
			return nil, ctx.Err()
		}},
	})
	hung := dial(t, path)
	for i := range featuresAtOnce + 1 {
		hung.send(requestLine(fmt.Sprint(i), "hang"))
	}
	for range featuresAtOnce {
		<-begun
	}
	c := dial(t, path)
	c.send(callLine("1", "echo"))
	c.expect(`…"result":"through"`)
	c.send(`{"type":"HookEvent","input":{}}` + "\n")
	c.expect(`…HookResponse`)
	hung.conn.Close()
	for range featuresAtOnce {
		<-cancelled
	}
}

// A request over HTTP is answered as one on a line.
func TestFeatureOverHTTP(t *testing.T) {
	answer := func(w http.ResponseWriter, r *http.Request) {
		response := Do(r.Context(), &protocol.MCPRequest{ID: "1", Method: "echo", Params: json.RawMessage(`{"a":1}`)})
		_, _ = w.Write(protocol.AppendResponse(nil, response))
	}
	path := serveOn(t, Options{HTTP: http.HandlerFunc(answer), Features: features{"echo": echoParams}})
	c := dial(t, path)
	c.send("GET / HTTP/1.1\r\nHost: d\r\nConnection: close\r\n\r\n")
	for {
		line := c.receive()
		if strings.HasPrefix(line, "{") {
			if want := `{"type":"MCPResult","id":"1","result":{"a":1},"error":null}`; line != want {
				t.Errorf("got %s", line)
			}
			return
		}
	}
}
