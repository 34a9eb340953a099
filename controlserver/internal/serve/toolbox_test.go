package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tidepool/internal/recall"
	"tidepool/internal/session"
	"tidepool/protocol"
	"tidepool/tools"
	"tidepool/tools/code"
	"tidepool/tools/oldnames"
)

func TestToolboxList(t *testing.T) {
	box, err := newToolbox(callers{}, []string{"show_fields"}, &oldnames.Toolset{}, []tools.Toolset{&code.Toolset{}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range box.List() {
		names = append(names, d.Name)
		var annotations struct{ ReadOnlyHint bool }
		if err := json.Unmarshal(d.Annotations, &annotations); err != nil || !annotations.ReadOnlyHint {
			t.Errorf("%s has annotations %s (%v)", d.Name, d.Annotations, err)
		}
		if always := strings.Contains(string(d.Meta), `"anthropic/alwaysLoad":true`); always != (d.Name == "show_fields") {
			t.Errorf("%s has _meta %s", d.Name, d.Meta)
		}
		if d.Description == "" || !json.Valid(d.InputSchema) {
			t.Errorf("%s has no description or schema", d.Name)
		}
	}
	if got := strings.Join(names, " "); got != "find_callers show_constructors show_fields" {
		t.Errorf("tools are %s", got)
	}
}

func TestToolboxTwice(t *testing.T) {
	if _, err := newToolbox(callers{}, nil, &oldnames.Toolset{}, []tools.Toolset{&code.Toolset{}}, &code.Toolset{}); err == nil || !strings.Contains(err.Error(), "find_callers") {
		t.Errorf("the same tools twice: %v", err)
	}
}

func TestToolboxAlwaysLoadsWhatThereIs(t *testing.T) {
	_, err := newToolbox(callers{}, []string{"find_callers", "find_caller"}, &oldnames.Toolset{}, []tools.Toolset{&code.Toolset{}})
	if want := `there is no tool "find_caller", only find_callers, show_constructors, show_fields`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want …%s", err, want)
	}
}

// Calls that reach no tool carry the code that says why.
func TestToolboxRefuses(t *testing.T) {
	box, err := newToolbox(callers{}, nil, &oldnames.Toolset{}, []tools.Toolset{&code.Toolset{}})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		tool, arguments string
		code            int
		says            string
	}{
		{"find_caller", `{}`, protocol.CodeMethodNotFound, "find_callers"},
		{"find_callers", `{"name": 1}`, protocol.CodeInvalidParams, "name"},
		{"find_callers", `{}`, protocol.CodeInvalidParams, "name"},
		{"find_callers", `[]`, protocol.CodeInvalidParams, "object"},
	}
	for _, tt := range tests {
		call := &protocol.MCPToolCall{ToolName: tt.tool, Arguments: json.RawMessage(tt.arguments)}
		_, err := box.Call(t.Context(), call, silent{})
		wire, ok := errors.AsType[*protocol.Error](err)
		if !ok || wire.Code != tt.code || !strings.Contains(wire.Message, tt.says) {
			t.Errorf("%s %s: %v", tt.tool, tt.arguments, err)
		}
	}
}

// A tool that does not find what it was asked for says so by the code, and how it goes on.
func TestToolboxFindsNothing(t *testing.T) {
	err := wireError(fmt.Errorf("expanding: %w", &recall.UnknownError{ID: "mem_1"}))
	wire, ok := errors.AsType[*protocol.Error](err)
	if !ok || wire.Code != protocol.CodeNotFound || !strings.HasPrefix(wire.Message, "expanding: no memory has the id \"mem_1\": ids look like") {
		t.Error(err)
	}
}

// silent is a caller that is told nothing.
type silent struct{}

func (silent) Progress(float64, float64, string)                   {}
func (silent) Show(protocol.Question)                              {}
func (silent) Await(ctx context.Context) (context.Context, func()) { return ctx, func() {} }

// A call is of the conversation that its hook names, else of the session that the caller names.
func TestToolboxKnowsTheSession(t *testing.T) {
	known := session.New()
	known.Observe(&protocol.HookInput{Event: protocol.PreToolUse, SessionID: "hooked", ToolUseID: "toolu_1", Cwd: "/work"})
	box, err := newToolbox(callers{conversations: known}, nil, &oldnames.Toolset{}, []tools.Toolset{&code.Toolset{}})
	if err != nil {
		t.Fatal(err)
	}
	for want, meta := range map[string]protocol.CallMeta{
		"hooked": {ToolUseID: "toolu_1", Session: "named"}, "named": {ToolUseID: "toolu_2", Session: "named"}, "": {},
	} {
		if got := box.caller(&meta); got.Session != want {
			t.Errorf("the call of %+v is of %q", meta, got.Session)
		}
	}
}
