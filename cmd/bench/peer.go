package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A peer is a server this program runs as another process, so that both
// sides' CPU is counted as it is for the daemon.
type peer struct {
	socket string
	pid    int
}

// startPeer runs this program again as the named server.
func (b *bench) startPeer(kind string) (peer, func(), error) {
	self, err := os.Executable()
	if err != nil {
		return peer{}, nil, err
	}
	dir, err := os.MkdirTemp(b.temp, kind+"-")
	if err != nil {
		return peer{}, nil, err
	}
	p := peer{socket: filepath.Join(dir, "s")}
	cmd := exec.Command(self, kind, p.socket)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return peer{}, nil, err
	}
	p.pid = cmd.Process.Pid
	stop := func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	if err := waitConnect(p.socket); err != nil {
		stop()
		return peer{}, nil, err
	}
	return p, stop, nil
}

// serve is the other process of startPeer.
func serve(kind, socket string) error {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	switch kind {
	case "echo":
		return serveEcho(l)
	case "http":
		return http.Serve(l, http.HandlerFunc(answerHook))
	}
	return fmt.Errorf("no peer is called %q", kind)
}

// serveEcho sends every line back.
func serveEcho(l net.Listener) error {
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			buf := make([]byte, 64<<10)
			for {
				n, err := conn.Read(buf)
				if err != nil {
					return
				}
				if _, err := conn.Write(buf[:n]); err != nil {
					return
				}
			}
		}()
	}
}

// answerHook does over HTTP what the daemon does with a hook that no rule is
// about: it reads the event and says to go on.
func answerHook(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var input struct {
		SessionID     string          `json:"session_id"`
		HookEventName string          `json:"hook_event_name"`
		ToolName      string          `json:"tool_name"`
		ToolInput     json.RawMessage `json:"tool_input"`
	}
	if err := json.Unmarshal(body, &input); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"output": map[string]any{"continue": true}, "exit_code": 0})
}

// webClient talks HTTP over the socket, in one kept connection.
func webClient(socket string) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", socket)
		},
	}}
}

func postHook(client *http.Client, input []byte) error {
	resp, err := client.Post("http://localhost/hook", "application/json", bytes.NewReader(input))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var reply struct {
		Output   json.RawMessage `json:"output"`
		ExitCode int             `json:"exit_code"`
	}
	return json.NewDecoder(resp.Body).Decode(&reply)
}

func waitConnect(socket string) error {
	deadline := time.Now().Add(10 * time.Second)
	for {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(deadline) {
			return err
		}
		time.Sleep(time.Millisecond) // between two tries
	}
}
