package mcptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidepool/internal/mcpfeature"
	"tidepool/protocol"
)

// numbered is a source of so many items, whose ids are a word and a number.
type numbered struct {
	word string
	of   int
}

func (n numbered) List(_ context.Context, q mcpfeature.Query) (mcpfeature.Found, error) {
	var found mcpfeature.Found
	for i := range n.of {
		id := fmt.Sprintf("%s%d", n.word, i)
		if !strings.HasPrefix(id, q.Text) {
			continue
		}
		if found.Total++; found.Total <= q.Limit {
			found.Items = append(found.Items, mcpfeature.Item{ID: id, Title: "Title of " + id, Parts: 12})
		}
	}
	return found, nil
}

// echoing reads what it is asked for.
type echoing struct{}

func (echoing) Read(_ context.Context, _ *protocol.CallMeta, tool string, arguments map[string]any) (string, error) {
	if arguments["id"] == "mem_none" {
		return "", &mcpfeature.NotFoundError{Err: errors.New("no memory has this id")}
	}
	text, err := json.Marshal(arguments)
	return tool + " " + string(text), err
}

// features are those of the daemons of these tests.
func features() *mcpfeature.Service {
	return mcpfeature.New(mcpfeature.Options{
		References: numbered{"ref_", 3}, Conversations: numbered{"s", 60}, Memories: numbered{"mem_", 60}, Symbols: numbered{"F", 200},
		Reader: echoing{}, Status: func(context.Context) (string, error) { return "ready", nil },
	})
}

func TestResources(t *testing.T) {
	for _, way := range ways() {
		t.Run(way.String(), func(t *testing.T) { testResources(t, way) })
	}
}

func testResources(t *testing.T, way way) {
	dir, agent := project(t)
	startDaemon(t, dir, &scripted{})
	c := connect(t, agent, way)
	if declared := c.InitializeResult().Capabilities; declared.Resources == nil || declared.Resources.ListChanged != (way.door == stdio) || declared.Resources.Subscribe || declared.Completions == nil {
		t.Errorf("declared: %+v", declared)
	}
	var uris []string
	for r, err := range c.Resources(t.Context(), nil) { // all pages
		if err != nil {
			t.Fatal(err)
		}
		uris = append(uris, r.URI)
	}
	if len(uris) != 2+3+50+50 || uris[0] != "tidepool://status" || !slices.Contains(uris, "tidepool://memory/mem_49") {
		t.Errorf("%d resources: %v", len(uris), uris)
	}
	for uri, want := range map[string]string{
		"tidepool://status":                "ready",
		"tidepool://ref/ref_1?lines=10-20": `ref_content {"lines":"10-20","ref":"ref_1"}`,
		"tidepool://conversation/s1/3":     `read_turn {"session_id":"s1","turn_number":3}`,
	} {
		got, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Contents) != 1 || got.Contents[0].Text != want || got.Contents[0].URI != uri || got.Contents[0].MIMEType != "text/plain" {
			t.Errorf("%s: %+v", uri, got.Contents[0])
		}
	}
	_, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "tidepool://memory/mem_none"})
	wire, is := errors.AsType[*jsonrpc.Error](err)
	if !is || wire.Code != jsonrpc.CodeInvalidParams || string(wire.Data) != `{"uri":"tidepool://memory/mem_none"}` {
		t.Errorf("no such memory: %v", err)
	}
}

func TestCompletion(t *testing.T) {
	for _, way := range ways() {
		t.Run(way.String(), func(t *testing.T) { testCompletion(t, way) })
	}
}

func testCompletion(t *testing.T, way way) {
	dir, agent := project(t)
	startDaemon(t, dir, &scripted{})
	c := connect(t, agent, way)
	symbols, err := c.Complete(t.Context(), &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "impact"}, Argument: mcp.CompleteParamsArgument{Name: "symbol", Value: "F"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := symbols.Completion; len(got.Values) != 100 || got.Total != 200 || !got.HasMore {
		t.Errorf("got %+v", got)
	}
	var template string
	for r, err := range c.ResourceTemplates(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Name == "turn" {
			template = r.URITemplate
		}
	}
	turns, err := c.Complete(t.Context(), &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/resource", URI: template}, Argument: mcp.CompleteParamsArgument{Name: "turn", Value: "1"},
		Context: &mcp.CompleteContext{Arguments: map[string]string{"session": "s2"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := turns.Completion; fmt.Sprint(got.Values) != "[11 10 1]" || got.Total != 3 || got.HasMore {
		t.Errorf("got %+v", got)
	}
}
