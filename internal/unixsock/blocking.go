package unixsock

import (
	"io"
	"os"
	"syscall"
)

// maxWrite is how much one write(2) is given on a socket that blocks, in bytes.
// The kernel waits anew for each part of what it is given, so that a peer which
// takes a large request drop by drop would stretch the limit of a single call.
const maxWrite = 32 << 10

// Read reads at least one byte, or returns io.EOF.
func (c *Conn) Read(b []byte) (int, error) {
	if !c.blocking {
		return c.File.Read(b)
	}
	if len(b) == 0 {
		return 0, nil
	}
	for {
		if err := limitCalls(c.fd, syscall.SO_RCVTIMEO, c.deadline); err != nil {
			return 0, err
		}
		switch n, err := syscall.Read(c.fd, b); {
		case n > 0:
			return n, nil
		case err == nil:
			return 0, io.EOF
		case err != syscall.EINTR:
			return 0, inTime("read", err)
		}
	}
}

// Write writes all of b.
func (c *Conn) Write(b []byte) (int, error) {
	if !c.blocking {
		return c.File.Write(b)
	}
	written := 0
	for first := true; ; first = false {
		if !first { // whose limit connect(2) has set
			if err := limitCalls(c.fd, syscall.SO_SNDTIMEO, c.deadline); err != nil {
				return written, err
			}
		}
		n, err := syscall.Write(c.fd, b[written:min(len(b), written+maxWrite)])
		written += max(n, 0)
		switch {
		case err != nil && err != syscall.EINTR:
			return written, inTime("write", err)
		case written == len(b):
			return written, nil
		}
	}
}

// inTime names what a blocking socket reports when its time is over.
func inTime(call string, err error) error {
	if err == syscall.EAGAIN {
		return os.ErrDeadlineExceeded
	}
	return os.NewSyscallError(call, err)
}
