package contextd_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	contextdv1 "tidepool/internal/contextd/v1"
	"tidepool/internal/daemontest"
	"tidepool/internal/httpapi"
	"tidepool/internal/server"
	"tidepool/protocol"
)

// serveBodies is serve for bodies that have little time if any. A daemon in haste is for those that never end: to one that is under load
// others may be late, too.
func serveBodies(t *testing.T, haste bool) string {
	t.Helper()
	project := daemontest.Project(t)
	options := httpapi.Options{Do: server.Do}
	if haste {
		options.BodyLimit = 100 * time.Millisecond
	}
	daemontest.StartServer(t, project, server.Options{
		Tools: &tools{make(chan *protocol.MCPToolCall, 100), map[string]string{"safe_bash": "{}"}}, HTTP: httpapi.New(options),
	})
	return daemontest.Socket(project)
}

// open returns a connection.
func open(t *testing.T, path string) net.Conn {
	t.Helper()
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(daemontest.Patience))
	return conn
}

// Bodies that are too long, cut, endless or no JSON, and requests for what there is not, get a reply that says so.
func TestBadBodies(t *testing.T) {
	patient, hasty := serveBodies(t, false), serveBodies(t, true)
	const bash = "/api/v1/safeexec/bash"
	sized := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }
	for name, test := range map[string]struct {
		route, rest string
		status      int
		says        string
	}{
		"cut":                 {bash, "Content-Length: 100\r\n\r\n{", 408, "the request did not end within 100ms"},
		"chunked for ever":    {bash, "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", 408, "the request did not end within 100ms"},
		"bad chunk":           {bash, "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400, "the request ends too soon"},
		"too long":            {bash, sized(strings.Repeat(" ", 1<<20+1)), 413, "larger than 1 MiB"},
		"too long, announced": {bash, "Content-Length: 99999999999\r\n\r\n{", 413, "larger than 1 MiB"},
		"chunks too long":     {bash, "Transfer-Encoding: chunked\r\n\r\n200000\r\n" + strings.Repeat(" ", 2<<20), 413, "larger than 1 MiB"},
		"no JSON":             {bash, sized("cmd=ls"), 400, "the body is not a JSON object"},
		"cut JSON":            {bash, sized(`{"cmd":"l`), 400, "the body is not a JSON object"},
		"a list":              {bash, sized("[]"), 400, "the body is not a JSON object"},
		"two objects":         {bash, sized("{}{}"), 400, "the body is not a JSON object"},
		"no text":             {bash, sized("{\"cmd\":\"\xff\"}"), 400, "invalid UTF-8"},
		"deep":                {bash, sized(strings.Repeat(`{"a":`, 100_000)), 400, "the body is not a JSON object"},
		"wrong type":          {bash, sized(`{"timeout":"soon"}`), 400, "timeout"},
		"no number":           {bash, sized(`{"timeout":1e99}`), 400, "timeout"},
		"field":               {bash, sized(`{"cdm":"ls"}`), 400, "did you mean cmd?"},
		"content type":        {bash, "Content-Type: text/xml\r\n" + sized("<a/>"), 415, "send Content-Type: application/json"},
		"compressed":          {bash, "Content-Type: application/json\r\nContent-Encoding: gzip\r\n" + sized("{}"), 501, "unknown compression"},
		"method, cut":         {"/api/v1/safeexec/bahs", "Content-Length: 100\r\n\r\n{", 404, "did you mean bash?"},
		"service, for ever":   {"/api/v1/safeexc/bash", "Transfer-Encoding: chunked\r\n\r\n", 404, "did you mean safeexec?"},
		"route, cut":          {"/nothing", "Content-Length: 100\r\n\r\n{", 404, "not found"},
		"call, cut":           {"/api/call", "Content-Length: 100\r\n\r\n{", 408, "the request did not end within 100ms"},
	} {
		path := patient
		if test.status == http.StatusRequestTimeout {
			path = hasty
		}
		conn := open(t, path)
		go func() { // the daemon may not take all of it
			_, _ = io.WriteString(conn, "POST "+test.route+" HTTP/1.1\r\nHost: x\r\n"+test.rest)
		}()
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		body, _ := io.ReadAll(response.Body) // the connection may end behind it
		if response.StatusCode != test.status || !strings.Contains(string(body), test.says) {
			t.Errorf("%s: %d %s", name, response.StatusCode, body)
		}
		_ = conn.Close()
	}
}

// message returns a message as gRPC frames it.
func message(flag byte, length uint32, data string) string {
	return string(binary.BigEndian.AppendUint32([]byte{flag}, length)) + data
}

// The same over gRPC.
func TestBadMessages(t *testing.T) {
	patient, hasty := serveBodies(t, false), serveBodies(t, true)
	const bash, kind, late = "/contextd.v1.SafeExecService/Bash", "application/grpc", "grpc-status 4"
	for name, test := range map[string]struct {
		route, kind, sent string
		open              bool   // the client does not end the stream
		want              string // status or :status
	}{
		"cut":            {bash, kind, message(0, 100, "{"), true, late},
		"nothing":        {bash, kind, "", true, late},
		"too short":      {bash, kind, message(0, 100, "{"), false, "grpc-status 13"},
		"half a prefix":  {bash, kind, "\x00\x00", false, "grpc-status 13"},
		"empty":          {bash, kind, "", false, "grpc-status 12"},
		"announced long": {bash, kind, message(0, 1<<31, "x"), false, "grpc-status 8"},
		"no message":     {bash, kind, message(0, 3, "\xff\xff\xff"), false, "grpc-status 3"},
		"compressed":     {bash, kind, message(1, 1, "x"), false, "grpc-status 13"},
		"content type":   {bash, "text/xml", "<a/>", false, ":status 415"},
		"method":         {"/contextd.v1.SafeExecService/Bsh", kind, "", true, "grpc-status 12"},
		"service":        {"/contextd.v1.Nothing/Bash", kind, "", true, "grpc-status 12"},
	} {
		path := patient
		if test.want == late {
			path = hasty
		}
		if got := exchange(t, path, test.route, test.kind, test.sent, test.open); !strings.Contains(got, test.want+"\n") {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

// begin opens a connection of HTTP/2 whose windows are as large as they may be.
func begin(t *testing.T, path string) (net.Conn, *http2.Framer) {
	t.Helper()
	conn := open(t, path)
	_, _ = io.WriteString(conn, http2.ClientPreface)
	f := http2.NewFramer(conn, conn)
	f.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	_ = f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1<<31 - 1})
	if err := f.WriteWindowUpdate(0, 1<<30); err != nil {
		t.Fatal(err)
	}
	return conn, f
}

// request begins a request.
func request(t *testing.T, f *http2.Framer, stream uint32, route, kind, sent string, unfinished bool) {
	t.Helper()
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for _, field := range [][2]string{{":method", "POST"}, {":scheme", "http"}, {":authority", "x"}, {":path", route}, {"content-type", kind}, {"te", "trailers"}} {
		_ = encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]})
	}
	_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block.Bytes(), EndHeaders: true})
	if err := f.WriteData(stream, !unfinished, []byte(sent)); err != nil {
		t.Fatal(err)
	}
}

// exchange makes a request over HTTP/2, and returns the fields of header and trailer.
func exchange(t *testing.T, path, route, kind, sent string, unfinished bool) string {
	t.Helper()
	conn, f := begin(t, path)
	defer conn.Close()
	request(t, f, 1, route, kind, sent, unfinished)
	var got strings.Builder
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			return got.String() + err.Error()
		}
		if headers, is := frame.(*http2.MetaHeadersFrame); is {
			for _, field := range headers.Fields {
				fmt.Fprintf(&got, "%s %s\n", field.Name, field.Value)
			}
		}
		if frame.Header().StreamID == 1 && frame.Header().Flags.Has(http2.FlagDataEndStream) {
			return got.String()
		}
	}
}

// A client of gRPC that does not read its replies holds up nobody else.
func TestClientThatDoesNotRead(t *testing.T) {
	const bash, size = "/contextd.v1.SafeExecService/Bash", 900 << 10
	s, path := serve(t, map[string]string{"safe_bash": `{"summary":"` + strings.Repeat("x", size) + `"}`})
	in := &contextdv1.BashRequest{Cmd: "ls", SessionId: "s"}
	sent, err := proto.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	_, deaf := begin(t, path)
	for i := range 20 {
		request(t, deaf, uint32(2*i+1), bash, "application/grpc", message(0, uint32(len(sent)), string(sent)), false)
		<-s.called
	}
	for range 3 {
		out := new(contextdv1.BashResponse)
		if err := dial(t, path).Invoke(t.Context(), bash, in, out, grpc.MaxCallRecvMsgSize(2*size)); err != nil || len(out.GetSummary()) != size {
			t.Errorf("%v, %d bytes", err, len(out.GetSummary()))
		}
		<-s.called
	}
}
