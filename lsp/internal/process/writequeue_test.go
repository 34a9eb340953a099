package process

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
)

// stuckPipe is the input of a program that does not read until it is closed.
type stuckPipe struct{ closed chan struct{} }

func (p stuckPipe) Write([]byte) (int, error) { <-p.closed; return 0, io.ErrClosedPipe }
func (p stuckPipe) Close() error              { return nil }

// pipes are both ends of a pipe of the system, closed with the test.
func pipes(t *testing.T) (in, out *os.File) {
	t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); out.Close() })
	return in, out
}

// TestWriteQueueBound gives a reader up that does not read: of a stream that takes nothing, and of one that takes some.
func TestWriteQueueBound(t *testing.T) {
	stuck := stuckPipe{make(chan struct{})}
	in, out := pipes(t)
	for _, of := range []struct {
		stream io.WriteCloser
		loosen func()
	}{{stuck, func() { close(stuck.closed) }}, {out, func() { in.Close() }}} {
		broken := 0
		o := NewWriteQueue(of.stream, func() { broken++ })
		chunk := make([]byte, 1<<20)
		var err error
		for range WriteQueueLimit>>20 + 2 {
			if _, err = o.Write(chunk); err != nil {
				break
			}
		}
		if !errors.Is(err, ErrStuck) || broken != 1 {
			t.Errorf("error %v, broken %d times", err, broken)
		}
		of.loosen()
		o.Close()
		<-o.done
		if _, err := o.Write(chunk); err == nil {
			t.Error("a write after the end")
		}
	}
}

// TestWriteQueueOrder writes more than a pipe of the system holds, from one piece to the next to a reader that is behind or
// not, and to a stream that is no file.
func TestWriteQueueOrder(t *testing.T) {
	reader, writer := io.Pipe()
	checkOrder(t, reader, writer)
	in, out := pipes(t)
	checkOrder(t, in, out)
}

func checkOrder(t *testing.T, reader io.Reader, writer io.WriteCloser) {
	t.Helper()
	o := NewWriteQueue(writer, func() { t.Error("broken") })
	type result struct {
		got []byte
		err error
	}
	read, begin := make(chan result), make(chan struct{})
	go func() {
		<-begin
		got, err := io.ReadAll(reader)
		read <- result{got, err}
	}()
	var want strings.Builder
	for i := range 2000 {
		if i == 1000 {
			close(begin)
		}
		line := fmt.Sprintln(i, strings.Repeat("x", i*17%5000))
		want.WriteString(line)
		if n, err := io.WriteString(o, line); n != len(line) || err != nil {
			t.Fatal(n, err)
		}
	}
	o.Close()
	all := <-read
	if all.err != nil || string(all.got) != want.String() {
		t.Errorf("%d bytes of %d, %v", len(all.got), want.Len(), all.err)
	}
	<-o.done
}

// TestWriteQueueFull writes one message that a pipe takes only a part of, and another behind it.
func TestWriteQueueFull(t *testing.T) {
	in, out := pipes(t)
	o := NewWriteQueue(out, func() { t.Error("broken") })
	long, next := strings.Repeat("long", 1<<20), "next"
	for _, message := range []string{long, next} {
		if n, err := io.WriteString(o, message); n != len(message) || err != nil {
			t.Fatal(n, err)
		}
	}
	if waiting := o.Waiting(); waiting <= len(next) || waiting > len(long)+len(next) {
		t.Errorf("%d bytes wait while nobody reads", waiting)
	}
	got := make([]byte, len(long)+len(next))
	if _, err := io.ReadFull(in, got); err != nil || string(got) != long+next {
		t.Errorf("another text was read, or %v", err)
	}
	o.Close()
	if rest, err := io.ReadAll(in); len(rest) > 0 || err != nil || o.Waiting() > 0 {
		t.Errorf("behind it: %d bytes, %v; %d bytes wait", len(rest), err, o.Waiting())
	}
}

// TestWriteQueueTogether has many write at the same time: their messages stay whole, and each writer's in order.
func TestWriteQueueTogether(t *testing.T) {
	const writers, each = 8, 500
	in, out := pipes(t)
	o := NewWriteQueue(out, func() { t.Error("broken") })
	var writing sync.WaitGroup
	for w := range writers {
		writing.Go(func() {
			for i := range each {
				fmt.Fprintf(o, "%d %d %s\n", w, i, strings.Repeat("x", 500))
			}
		})
	}
	go func() { writing.Wait(); o.Close() }()
	next := make([]int, writers)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var w, i int
		var rest string
		if n, err := fmt.Sscan(lines.Text(), &w, &i, &rest); n != 3 || err != nil || len(rest) != 500 || i != next[w] {
			t.Fatalf("line %.40q, %v", lines.Text(), err)
		}
		next[w]++
	}
	for w, n := range next {
		if n != each {
			t.Errorf("%d messages of writer %d, want %d", n, w, each)
		}
	}
}

// TestWriteQueueBroken writes to a program that has closed its input: broken is called once, and further writes fail.
func TestWriteQueueBroken(t *testing.T) {
	in, out := pipes(t)
	broken := make(chan struct{}, 2)
	o := NewWriteQueue(out, func() { broken <- struct{}{} })
	in.Close()
	if n, err := io.WriteString(o, "message"); n != 7 || err != nil {
		t.Error(n, err)
	}
	<-broken
	<-o.done
	if _, err := io.WriteString(o, "message"); err == nil {
		t.Error("a write to what is broken")
	}
	if len(broken) > 0 {
		t.Error("broken twice")
	}
}

// TestWriteQueueWaits leaves a file to pump that a write may wait for.
func TestWriteQueueWaits(t *testing.T) {
	_, out := pipes(t)
	if withoutWaiting(out) == nil {
		t.Error("a pipe is not written to at once")
	}
	out.Fd() // makes writes wait
	if withoutWaiting(out) != nil || withoutWaiting(stuckPipe{}) != nil {
		t.Error("a write at once may wait")
	}
}
