package unixsock

import (
	"strings"
	"testing"
	"time"
)

// BenchmarkRoundTrip dials, sends one line of 1 KB, reads it back and closes:
// what a hook does with a socket, through the poller and without it.
func BenchmarkRoundTrip(b *testing.B) {
	path := echoServer(b, b.TempDir())
	line := []byte(strings.Repeat("x", 1023) + "\n")
	reply := make([]byte, 2048)
	for name, dial := range map[string]func(string, time.Time) (*Conn, error){
		"poller":   Dial,
		"blocking": DialBlocking,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				conn, err := dial(path, time.Now().Add(10*time.Second))
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
	}
}
