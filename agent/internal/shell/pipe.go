package shell

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// How long output waits for more, to be searched together.
const (
	pause   = 20 * time.Millisecond  // after the last byte
	longest = 100 * time.Millisecond // after the first
)

// full is how much output is searched at once, in bytes. A part that was held back comes on top.
const full = 64 << 10

// maxDrain bounds what is read of a pipe after the shell's end, in bytes: more than a pipe holds. What still comes is of processes
// that the shell has left.
const maxDrain = 1 << 20

// A pipe carries output of the shell. Its goroutine is copy.
type pipe struct {
	read, write *os.File
	out         *os.File
	scrubber    *scrubber
	done        chan bool // receives whether the pipe has ended
	stopped     atomic.Bool

	pending []byte    // read and not shown
	since   time.Time // the first byte that was not sent yet; zero: all of pending was
}

func newPipe(out *os.File) (*pipe, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &pipe{read: read, write: write, out: out, done: make(chan bool, 1)}, nil
}

// stop makes copy show what is in the pipe, and return.
func (p *pipe) stop() {
	p.stopped.Store(true)
	_ = p.read.SetReadDeadline(time.Unix(1, 0))
}

// copy shows what is written to the pipe until it ends, or until stop.
func (p *pipe) copy() {
	buf := make([]byte, full)
	for {
		p.wait()
		if p.stopped.Load() { // stop may have set its deadline before wait has
			p.done <- p.drain()
			return
		}
		n, err := p.read.Read(buf)
		p.add(buf[:n])
		switch {
		case err == nil:
			p.flow()
		case errors.Is(err, os.ErrDeadlineExceeded):
			if !p.stopped.Load() {
				p.send(true, true)
			}
		default:
			p.send(false, false)
			p.done <- true
			return
		}
	}
}

// wait sets how long the next read waits: for ever if there is nothing to show.
func (p *pipe) wait() {
	var deadline time.Time
	if !p.since.IsZero() {
		deadline = time.Now().Add(pause)
		if latest := p.since.Add(longest); latest.Before(deadline) {
			deadline = latest
		}
	}
	_ = p.read.SetReadDeadline(deadline)
}

func (p *pipe) add(more []byte) {
	if len(more) > 0 && p.since.IsZero() {
		p.since = time.Now()
	}
	p.pending = append(p.pending, more...)
}

// flow shows what has come if that is much or has waited long.
func (p *pipe) flow() {
	switch {
	case len(p.pending) >= full:
		p.send(true, false)
	case !p.since.IsZero() && time.Since(p.since) >= longest:
		p.send(true, true)
	}
}

// send shows what the scrubber takes of the pending output.
func (p *pipe) send(more, paused bool) {
	text, taken := p.scrubber.scrub(p.pending, more, paused)
	p.since = time.Time{}
	p.pending = append(p.pending[:0], p.pending[taken:]...)
	_, _ = p.out.Write(text) // who does not read it any more does not want it; the shell must not wait for that
}

// drain shows what is in the pipe, without waiting, and reports whether the pipe has ended.
func (p *pipe) drain() (ended bool) {
	_ = p.read.SetReadDeadline(time.Time{})
	raw, err := p.read.SyscallConn()
	if err != nil {
		return true
	}
	buf := make([]byte, full)
	for total := 0; total < maxDrain; {
		var n int
		var failed error
		if err := raw.Read(func(fd uintptr) bool { n, failed = syscall.Read(int(fd), buf); return true }); err != nil {
			failed = err
		}
		if failed == syscall.EINTR {
			continue
		}
		if n <= 0 {
			ended = failed != syscall.EAGAIN
			break
		}
		p.add(buf[:n])
		total += n
		if len(p.pending) >= full {
			p.send(true, false)
		}
	}
	p.send(false, false)
	return ended
}
