package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidepool/internal/daemontest"
)

// goModule makes a module with one call.
func goModule(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"m.go":   "package m\n\nfunc F() {}\n\nfunc G() { F() }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// startPort starts a daemon with a port, and returns what agent url prints in each form.
func startPort(ctx context.Context, t *testing.T, dir string) (d *daemontest.Daemon, url, entry, headers string) {
	t.Helper()
	cmd := program(ctx, t, dir, "controlserver", "serve", "--http", "127.0.0.1:0")
	cmd.Env = append(cmd.Env, "TIDEPOOL_QUESTIONS_TIMEOUT=1s")
	d, err := daemontest.Run(cmd, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Stop() }) // one that is killed leaves things behind
	print := func(args ...string) string {
		told := end(t, program(ctx, t, dir, "agent", append([]string{"url"}, args...)...))
		if told.status != 0 {
			t.Fatalf("agent url %v: %s", args, told.stderr)
		}
		return strings.TrimSpace(told.stdout)
	}
	return d, print(), print("--mcp"), print("--headers")
}

// statusOfGet returns the status of a GET.
func statusOfGet(ctx context.Context, t *testing.T, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

// A client that knows the entry which agent url --mcp prints uses the tools over the port, in both eras, and an older one over /sse; a
// question waits elsewhere, since nobody can tell who answers there. The token of a daemon ends with it, and nothing else listens.
func TestPort(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	dir := goModule(t)
	daemon, url, entry, headers := startPort(ctx, t, dir)
	var config struct {
		Type, URL string
		Headers   map[string]string
	}
	if err := json.Unmarshal([]byte(entry), &config); err != nil || config.Type != "http" || !strings.HasSuffix(config.URL, "/mcp") {
		t.Fatalf("%s, %v", entry, err)
	}
	if want := fmt.Sprintf(`{"Authorization":%q}`, config.Headers["Authorization"]); headers != want {
		t.Errorf("the headers are %s, want %s", headers, want)
	}
	byHeader := &http.Client{Transport: authorized(config.Headers["Authorization"])}
	for _, way := range []struct {
		transport mcp.Transport
		revision  string
	}{
		{&mcp.StreamableClientTransport{Endpoint: config.URL, HTTPClient: byHeader}, "2025-11-25"},
		{&mcp.StreamableClientTransport{Endpoint: url + "/mcp"}, ""},
		{&mcp.SSEClientTransport{Endpoint: url + "/sse"}, "2024-11-05"},
		{&mcp.SSEClientTransport{Endpoint: strings.TrimSuffix(config.URL, "mcp") + "sse?token=" + filepath.Base(url)}, "2024-11-05"},
	} {
		testPortTools(ctx, t, way.transport, way.revision)
	}
	expectListeners(t, daemon, url)

	if err := daemon.Stop(); err != nil {
		t.Error(err)
	}
	told := end(t, program(ctx, t, dir, "agent", "url"))
	if _, err := os.Stat(filepath.Join(dir, ".tidepool", "http.json")); told.status != 1 || !strings.Contains(told.stderr, "not running") || !os.IsNotExist(err) {
		t.Errorf("after the stop: %+v, %v", told, err)
	}
	_, next, _, _ := startPort(ctx, t, dir)
	if got := statusOfGet(ctx, t, next+"/health"); got != http.StatusOK {
		t.Errorf("the new token: %d", got)
	}
	if got := statusOfGet(ctx, t, next[:strings.LastIndexByte(next, '/')]+"/health?token="+filepath.Base(url)); got != http.StatusUnauthorized {
		t.Errorf("the old token: %d", got)
	}
}

// testPortTools calls a tool, and one that asks a person.
func testPortTools(ctx context.Context, t *testing.T, transport mcp.Transport, revision string) {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			t.Errorf("revision %s: a client of the port is shown a question", revision)
			return &mcp.ElicitResult{Action: "accept"}, nil
		},
	})
	session, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatalf("revision %s: %v", revision, err)
	}
	defer session.Close()
	if text, failed := findCallers(ctx, t, session); failed || !strings.Contains(text, "m.go:5") {
		t.Errorf("revision %s: %s", revision, text)
	}
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "confirm_action", Arguments: map[string]any{"action": "Deploy"}})
	if err != nil || !result.IsError {
		t.Errorf("revision %s: a question without a person is answered: %+v, %v", revision, result, err)
	}
}

// authorized adds a header to each request.
type authorized string

func (a authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", string(a))
	return http.DefaultTransport.RoundTrip(r)
}

// A daemon without a port listens on its socket only, and so do its language servers.
func TestNothingElseListens(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dir := goModule(t)
	daemon := startDaemon(ctx, t, dir)
	told := end(t, program(ctx, t, dir, "agent", "call", "find_callers", `{"name":"F"}`))
	if told.status != 0 || !strings.Contains(told.stdout, "m.go:5") {
		t.Fatalf("%+v", told)
	}
	expectListeners(t, daemon, "")
	told = end(t, program(ctx, t, dir, "agent", "url"))
	if told.status != 1 || !strings.Contains(told.stderr, "no port is open") || !strings.Contains(told.stderr, "hint: ") {
		t.Errorf("%+v", told)
	}
}

// expectListeners checks that the daemon and its descendants listen at the URL's port and the socket only; url may be "".
func expectListeners(t *testing.T, d *daemontest.Daemon, url string) {
	t.Helper()
	mine := map[string]bool{}
	processes := 0
	for _, pid := range descendants(t, d.PID()) {
		processes++
		fds, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid)) // it may have ended
		for _, fd := range fds {
			link, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", pid, fd.Name()))
			if inode, is := strings.CutPrefix(link, "socket:["); is {
				mine[strings.TrimSuffix(inode, "]")] = true
			}
		}
	}
	if processes < 2 || len(mine) == 0 {
		t.Fatalf("%d processes with %d sockets were seen: the language server is missing", processes, len(mine))
	}
	var listening []string
	for _, family := range []string{"tcp", "tcp6", "udp", "udp6", "udplite", "udplite6", "raw", "raw6", "icmp", "icmp6"} {
		for _, fields := range table(t, "/proc/net/"+family) {
			const listen = "0A"
			if len(fields) > 9 && mine[fields[9]] && (fields[3] == listen || !strings.HasPrefix(family, "tcp")) {
				listening = append(listening, family+" "+fields[1])
			}
		}
	}
	for _, fields := range table(t, "/proc/net/unix") {
		const accepts = "00010000"
		if len(fields) > 6 && mine[fields[6]] && fields[3] == accepts {
			listening = append(listening, "unix "+filepath.Base(fields[len(fields)-1]))
		}
	}
	want := []string{"unix control.sock"}
	if url != "" {
		address, _, _ := strings.Cut(strings.TrimPrefix(url, "http://127.0.0.1:"), "/")
		port, err := strconv.Atoi(address)
		if err != nil {
			t.Fatal(err)
		}
		want = append([]string{fmt.Sprintf("tcp 0100007F:%04X", port)}, want...)
	}
	if !slices.Equal(listening, want) {
		t.Errorf("these sockets listen: %q, want %q", listening, want)
	}
}

// table returns the fields of the lines of a file of the kernel; none if there is no such file.
func table(t *testing.T, path string) (lines [][]string) {
	t.Helper()
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	scanner := bufio.NewScanner(io.LimitReader(file, 16<<20))
	for scanner.Scan() {
		lines = append(lines, strings.Fields(scanner.Text()))
	}
	return lines
}

// descendants returns a process and all that descend from it.
func descendants(t *testing.T, pid int) []int {
	t.Helper()
	found := []int{pid}
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range tasks {
		data, _ := os.ReadFile(path) // the thread may have ended
		for _, child := range strings.Fields(string(data)) {
			id, err := strconv.Atoi(child)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, descendants(t, id)...)
		}
	}
	return found
}
