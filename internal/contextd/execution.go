package contextd

import (
	"context"
	"strings"

	contextdv1 "tidepool/internal/contextd/v1"
	"tidepool/internal/wording"
)

// safeExec is SafeExecService.
type safeExec struct{ *caller }

// Bash runs a command. A command that fails is an answer.
func (s safeExec) Bash(ctx context.Context, r *contextdv1.BashRequest) (*contextdv1.BashResponse, error) {
	out := new(contextdv1.BashResponse)
	err := pass(ctx, s.caller, "safe_bash", r, out, nil)
	return out, err
}

// Read reads lines of a file. What is longer than a preview is kept, whole, as a reference.
func (s safeExec) Read(ctx context.Context, r *contextdv1.ReadRequest) (*contextdv1.ReadResponse, error) {
	in := arguments{"path": r.GetPath(), "keep": true}
	set(in, "offset", r.GetOffset())
	set(in, "limit", r.GetLimit())
	out := new(contextdv1.ReadResponse)
	if err := s.run(ctx, "safe_read", r, in, out); err != nil {
		return nil, err
	}
	out.ContentPreview = wording.Clip(unnumbered(out.GetContentPreview()), mostPreview)
	out.TokensUsed = 0
	count(out)
	return out, nil
}

// Write writes a file.
func (s safeExec) Write(ctx context.Context, r *contextdv1.WriteRequest) (*contextdv1.WriteResponse, error) {
	in := arguments{"path": r.GetPath(), "content": r.GetContent()}
	set(in, "append", r.GetAppend())
	set(in, "expect", r.GetExpect())
	out := new(contextdv1.WriteResponse)
	err := s.run(ctx, "safe_write", r, in, out)
	return out, err
}

// refs is RefService.
type refs struct{ *caller }

// GetContent returns a part of what a reference names, as it is; with grep, with the numbers of the lines.
func (s refs) GetContent(ctx context.Context, r *contextdv1.RefGetContentRequest) (*contextdv1.RefGetContentResponse, error) {
	out := new(contextdv1.RefGetContentResponse)
	if err := pass(ctx, s.caller, "ref_content", r, out, map[string]string{"ref_id": "ref"}); err != nil {
		return nil, err
	}
	if r.GetGrep() == "" {
		out.Content = unnumbered(out.GetContent())
	}
	return out, nil
}

// unnumbered returns lines without the numbers in front of them.
func unnumbered(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		_, rest, _ := strings.Cut(line, ": ")
		b.WriteString(rest)
	}
	return b.String()
}
