package server

import (
	"context"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"tidepool/protocol"
)

// floodMemory is how much the heap may have grown while a flood is being answered, in bytes; a flood sends more.
const floodMemory = 24 << 20

// A flooder is a client of HTTP/2 that keeps no rule.
type flooder struct {
	net.Conn
	*http2.Framer
}

// flood opens a connection of HTTP/2.
func flood(t *testing.T, path string) *flooder {
	t.Helper()
	c := dial(t, path)
	_ = c.conn.SetDeadline(time.Now().Add(5 * time.Minute))
	c.send(http2.ClientPreface)
	f := &flooder{c.conn, http2.NewFramer(c.conn, c.conn)}
	if err := f.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	return f
}

// fields returns the header of a request.
func fields(path string, more ...string) []byte {
	var block strings.Builder
	encoder := hpack.NewEncoder(&block)
	all := append([]string{":method", "GET", ":scheme", "http", ":authority", "x", ":path", path}, more...)
	for i := 0; i < len(all); i += 2 {
		_ = encoder.WriteField(hpack.HeaderField{Name: all[i], Value: all[i+1]}) // a Builder takes all
	}
	return []byte(block.String())
}

// request begins a stream.
func (f *flooder) request(stream uint32, block []byte) error {
	return f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block, EndStream: true, EndHeaders: true})
}

// heap returns the bytes that are in use.
func heap() int {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// Floods of HTTP/2 end with their connection, or are answered, within bounded memory and work. Others are answered meanwhile.
func TestHTTP2Floods(t *testing.T) {
	const most = 200_000 // frames; the server gives most floods up long before
	for name, test := range map[string]struct {
		reads bool // the client accepts what the server sends
		ends  bool // the server closes the connection
		send  func(f *flooder, i int) error
	}{
		"rapid reset": {reads: true, send: func(f *flooder, i int) error {
			if i == most/20 {
				return errEnough
			}
			stream := uint32(2*i + 1)
			return errors.Join(f.request(stream, fields("/wait")), f.WriteRSTStream(stream, http2.ErrCodeCancel))
		}},
		"streams": {reads: true, send: func(f *flooder, i int) error {
			if i == most/20 {
				return errEnough
			}
			return f.request(uint32(2*i+1), fields("/wait"))
		}},
		"PING": {ends: true, send: func(f *flooder, _ int) error { return f.WritePing(false, [8]byte{}) }},
		"SETTINGS": {send: func(f *flooder, i int) error { // of its acknowledgements one waits at most
			if i == most/4 {
				return errEnough
			}
			return f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1})
		}},
		"CONTINUATION": {reads: true, ends: true, send: func(f *flooder, i int) error {
			block := fields("/wait", "x", strings.Repeat("y", 1000))
			if i == 0 {
				return f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block})
			}
			return f.WriteContinuation(1, false, block[len(fields("/wait")):])
		}},
		"empty DATA": {reads: true, send: func(f *flooder, i int) error {
			if i == 0 {
				return f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: fields("/wait"), EndHeaders: true})
			}
			if i == most/20 {
				return errEnough
			}
			return f.WriteData(1, false, nil)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var now, peak atomic.Int64
			path := serveOn(t, Options{HTTP: overHTTP, Workers: 200, Tools: scripted{"wait": func(ctx context.Context, _ *protocol.MCPToolCall, _ Caller) (Result, error) {
				if n := now.Add(1); n > peak.Load() {
					peak.Store(n)
				}
				defer now.Add(-1)
				<-ctx.Done()
				return Result{}, ctx.Err()
			}}})
			f := flood(t, path)
			before := heap()
			var reading sync.WaitGroup
			if test.reads {
				reading.Go(func() { _, _ = io.Copy(io.Discard, f.Conn) })
			}
			var err error
			for i := 0; i < most && err == nil; i++ {
				err = test.send(f, i)
			}
			if grown := heap() - before; grown > floodMemory {
				t.Errorf("the heap has grown by %d MiB", grown>>20)
			}
			if test.ends && (err == nil || errors.Is(err, errEnough)) {
				t.Errorf("after %d frames the connection lives", most)
			}
			other := dial(t, path)
			other.send(ping)
			other.expect(pong)
			if status, _ := get(t, browser(t, path), "/pid"); status != 200 {
				t.Errorf("another client gets %d", status)
			}
			_ = f.Close()
			reading.Wait()
			if n := peak.Load(); n > unfinished {
				t.Errorf("%d calls at once", n)
			}
		})
	}
}

var errEnough = errors.New("the client has sent enough")

// A header that is too long is refused: by a reply, and one that could not be kept in sight by the end of the connection.
func TestHTTP2LongHeader(t *testing.T) {
	path := serveOn(t, Options{HTTP: overHTTP})
	for want, header := range map[string]string{"431": strings.Repeat(strings.Repeat("y", 1000)+",", 18), "COMPRESSION_ERROR": strings.Repeat("y", 64<<10)} {
		f := flood(t, path)
		f.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
		block := fields("/pid")
		for part := range strings.SplitSeq(header, ",") {
			block = append(block, fields("/pid", "x", part)[len(fields("/pid")):]...)
		}
		if err := f.sendHeader(block); err != nil {
			t.Fatal(err)
		}
		if got := f.status(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// sendHeader begins stream 1 with a header of any length.
func (f *flooder) sendHeader(block []byte) error {
	const frame = 16 << 10
	first := block[:min(frame, len(block))]
	err := f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: first, EndStream: true, EndHeaders: len(first) == len(block)})
	for rest := block[len(first):]; len(rest) > 0 && err == nil; {
		next := rest[:min(frame, len(rest))]
		rest = rest[len(next):]
		err = f.WriteContinuation(1, len(rest) == 0, next)
	}
	return err
}

// status returns that of the next reply, or how the connection ends.
func (f *flooder) status() string {
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			return err.Error()
		}
		switch frame := frame.(type) {
		case *http2.MetaHeadersFrame:
			return frame.PseudoValue("status")
		case *http2.GoAwayFrame:
			return frame.ErrCode.String()
		}
	}
}

// What a request has not sent of its body holds up no reply for long.
func TestUnfinishedBody(t *testing.T) {
	path := serveOn(t, Options{HTTP: overHTTP, LineTimeout: 500 * time.Millisecond})
	for _, body := range []string{"Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"} {
		for _, route := range []string{"/pid", "/find"} { // the handler of /pid reads no body, that of /find reads without a deadline
			c := dial(t, path)
			c.send("POST " + route + " HTTP/1.1\r\nHost: x\r\n" + body)
			if got := c.receive(); !strings.HasPrefix(got, "HTTP/1.1 200") {
				t.Errorf("%s: %q", route, got)
			}
			if _, err := io.Copy(io.Discard, c.conn); err != nil {
				t.Errorf("%s: the connection ends with %v", route, err)
			}
		}
	}
}
