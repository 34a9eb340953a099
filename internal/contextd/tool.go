package contextd

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	contextdv1 "tidepool/internal/contextd/v1"
	"tidepool/internal/wording"
)

// anyTool is ToolService.
type anyTool struct{ *caller }

// Call calls a tool by its name.
func (s anyTool) Call(ctx context.Context, r *contextdv1.ToolCallRequest) (*contextdv1.ToolCallResponse, error) {
	if err := checkSession(r.GetSessionId()); err != nil {
		return nil, err
	}
	in := r.GetArguments()
	if in == "" {
		in = "{}"
	}
	if !json.Valid([]byte(in)) {
		return nil, invalid("arguments is no JSON: it is a text that holds a JSON object, as in {\"name\": \"List.Of\"}")
	}
	result, text, err := s.send(ctx, r.GetName(), r.GetSessionId(), json.RawMessage(in))
	if err != nil {
		return nil, err
	}
	summary, _, _ := strings.Cut(text, "\n")
	return &contextdv1.ToolCallResponse{
		Summary: wording.Clip(summary, mostPreview), ContentPreview: wording.Clip(text, mostPreview), Text: text, Result: string(result), TokensUsed: tokensOf(utf8.RuneCountInString(text)),
	}, nil
}
