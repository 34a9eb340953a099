package screen

import (
	"context"
	"fmt"
	"strings"
)

// String returns the text of the screen, without blanks at the ends of lines and empty lines at its end.
func (s *Screen) String() string {
	text, _ := s.look(s.text)
	return text
}

// Written returns all that was written to the screen, with the sequences that it does not show.
func (s *Screen) Written() string {
	text, _ := s.look(s.written.String)
	return text
}

// text is called under the mutex.
func (s *Screen) text() string { return strings.TrimRight(s.emulator.String(), "\n") }

func (s *Screen) look(read func() string) (text string, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return read(), s.changed
}

// Await returns when the screen shows all texts at once, or an error with the screen's text when ctx ends before.
func (s *Screen) Await(ctx context.Context, texts ...string) error {
	return s.await(ctx, "on the screen", s.text, texts)
}

// AwaitWritten is Await for what was written, see Written.
func (s *Screen) AwaitWritten(ctx context.Context, texts ...string) error {
	return s.await(ctx, "in the output", s.written.String, texts)
}

func (s *Screen) await(ctx context.Context, where string, read func() string, texts []string) error {
	for {
		shown, changed := s.look(read)
		missing := missing(shown, texts)
		if missing == "" {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("waiting for %q %s: %w; there is:\n%s", missing, where, context.Cause(ctx), shown)
		}
	}
}

// missing returns the first text that shown does not hold; "": it holds all.
func missing(shown string, texts []string) string {
	for _, text := range texts {
		if !strings.Contains(shown, text) {
			return text
		}
	}
	return ""
}
