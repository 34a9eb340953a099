package activity

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tidepool/protocol"
)

// follow returns what is told after now, until the test ends.
func follow(t *testing.T, m *Messages) <-chan protocol.LogMessage {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	told, begun, ended := make(chan protocol.LogMessage), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		m.Follow(ctx, func() { close(begun) }, func(l *protocol.LogMessage) { told <- *l })
	}()
	<-begun
	t.Cleanup(func() { stop(); <-ended })
	return told
}

func TestMessages(t *testing.T) {
	var m Messages
	m.Note("error", "a", "before anybody follows")
	first, second := follow(t, &m), follow(t, &m)
	for i := range 2 * keptMessages {
		m.Note("warning", "a", fmt.Sprint(i))
		for _, told := range []<-chan protocol.LogMessage{first, second} {
			if got := <-told; got != (protocol.LogMessage{Level: "warning", Logger: "a", Text: fmt.Sprint(i)}) {
				t.Errorf("got %+v", got)
			}
		}
	}
}

func TestMessageIsOneLine(t *testing.T) {
	if got := Message("info", "a", "b\n\x1b[2J"+strings.Repeat("c", 999)).Text; !strings.HasPrefix(got, "b ␛[2Jccc") || len([]rune(got)) != maxMessage {
		t.Errorf("got %q", got)
	}
}
