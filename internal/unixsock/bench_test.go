package unixsock

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkRoundTrip dials, sends one line of 1 KB, reads it back and closes:
// what a hook does with a socket, through the poller and without it.
func BenchmarkRoundTrip(b *testing.B) {
	path := echoServer(b, b.TempDir())
	line := []byte(strings.Repeat("x", 1023) + "\n")
	reply := make([]byte, 2048)
	b.Run("poller", func(b *testing.B) {
		for b.Loop() {
			conn, err := Dial(path, time.Now().Add(10*time.Second))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := conn.Write(line); err != nil {
				b.Fatal(err)
			}
			if _, err := conn.Read(reply); err != nil {
				b.Fatal(err)
			}
			conn.Close()
		}
	})
	b.Run("blocking", func(b *testing.B) {
		for b.Loop() {
			blockingRoundTrip(b, path, line, reply)
		}
	})
}

func blockingRoundTrip(b *testing.B, path string, line, reply []byte) {
	fd, err := newSocket()
	if err != nil {
		b.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := connect(fd, path, time.Now().Add(10*time.Second)); err != nil {
		b.Fatal(err)
	}
	limit := syscall.Timeval{Sec: 10}
	if err := syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &limit); err != nil {
		b.Fatal(err)
	}
	if _, err := syscall.Write(fd, line); err != nil {
		b.Fatal(err)
	}
	for {
		_, err := syscall.Read(fd, reply)
		if err == nil {
			return
		}
		if err != syscall.EINTR { // the runtime's own signals, and a read with a limit is not restarted
			b.Fatal(err)
		}
	}
}
