package process

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// stuckPipe is the input of a program that does not read until it is closed.
type stuckPipe struct{ closed chan struct{} }

func (p stuckPipe) Write([]byte) (int, error) { <-p.closed; return 0, io.ErrClosedPipe }
func (p stuckPipe) Close() error              { return nil }

// TestOutboxBound gives a reader up that does not read.
func TestOutboxBound(t *testing.T) {
	pipe := stuckPipe{make(chan struct{})}
	broken := 0
	o := NewOutbox(pipe, func() { broken++ })
	chunk := make([]byte, 1<<20)
	var err error
	for range OutboxLimit>>20 + 1 {
		if _, err = o.Write(chunk); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrStuck) || broken != 1 {
		t.Errorf("error %v, broken %d times", err, broken)
	}
	close(pipe.closed)
	o.Close()
	<-o.done
	if _, err := o.Write(chunk); err == nil {
		t.Error("a write after the end")
	}
}

func TestOutboxOrder(t *testing.T) {
	reader, writer := io.Pipe()
	o := NewOutbox(writer, func() {})
	var want strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&want, "%d\n", i)
		fmt.Fprintf(o, "%d\n", i)
	}
	o.Close()
	got, err := io.ReadAll(reader)
	if err != nil || string(got) != want.String() {
		t.Errorf("%d bytes of %d, %v", len(got), want.Len(), err)
	}
	<-o.done
}
