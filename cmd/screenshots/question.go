package main

import (
	"context"
	"errors"
	"fmt"

	uv "github.com/charmbracelet/ultraviolet"

	"tidepool/internal/screen"
)

// playQuestion has a session work and ask, while agent ui is open beside it.
func playQuestion(ctx context.Context, s *stage) (*uv.Buffer, error) {
	terminal := screen.New(80, 20) // high enough for what this session does, and for nothing before
	defer terminal.Close()
	program, err := terminal.Start(s.command(ctx, "agent", "ui"))
	if err != nil {
		return nil, err
	}
	cells, err := s.workAndAsk(ctx, terminal)
	return cells, errors.Join(err, program.Type("\x03"), program.Wait())
}

func (s *stage) workAndAsk(ctx context.Context, terminal *screen.Screen) (*uv.Buffer, error) {
	if err := terminal.Await(ctx, "connected"); err != nil {
		return nil, err
	}
	session, err := s.newSession(ctx)
	if err != nil {
		return nil, err
	}
	defer session.close()
	if err := session.work(ctx); err != nil {
		return nil, err
	}
	return session.ask(ctx, terminal)
}

// work does what a session does before it asks.
func (s *session) work(ctx context.Context) error {
	return errors.Join(
		s.hook(ctx, "session-start", "SessionStart", `"source":"startup"`),
		s.call(ctx, "find_callers", map[string]any{"name": "List.Of"}),
		s.call(ctx, "scout", map[string]any{"query": "add a parameter to Source.Of"}),
		s.hook(ctx, "pre-tool-use", "PreToolUse", `"tool_name":"Bash","tool_use_id":"1","tool_input":{"command":"go test ./..."}`),
		s.hook(ctx, "post-tool-use", "PostToolUse", `"tool_name":"Bash","tool_use_id":"1","tool_input":{"command":"go test ./..."},"tool_response":{"stdout":"ok"}`),
		s.hook(ctx, "pre-tool-use", "PreToolUse", `"tool_name":"Bash","tool_use_id":"2","tool_input":{"command":"git push --force"}`),
	)
}

// ask asks, and returns the screen on which the question is shown. Nobody answers: the call ends before.
func (s *session) ask(ctx context.Context, terminal *screen.Screen) (*uv.Buffer, error) {
	asking, cancel := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		cancel(fmt.Errorf("the question was not left open: %w", s.call(asking, "select_option", map[string]any{
			"prompt": "Where shall the prices be kept?",
			"options": [][]string{
				{"file", "in the file prices.json"}, {"db", "in PostgreSQL, which has the orders already"}, {"memory", "in memory only, as now"},
			},
		})))
	}()
	err := terminal.Await(asking, "1 question waits", "Where shall the prices be kept?", "> in the file", "enter submit", "PreToolUse Bash deny", "go ready · go for drafts ready")
	cells := terminal.Cells()
	cancel(nil)
	<-ended
	return cells, err
}
