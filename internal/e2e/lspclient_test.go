package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// languageClients are the programs that use agent lsp in scripts, by script and name.
type languageClients struct {
	mu      sync.Mutex
	running map[string]*languageClient
}

// A languageClient is one agent lsp and who talks with it.
type languageClient struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// command is lsp.
//
//	lsp start NAME LANGUAGE   runs agent lsp LANGUAGE in the script's directory
//	lsp say NAME FILE         sends the messages of FILE, one a line, in which $WORK is the script's own directory; after
//	                          a request it waits for the answer; prints what the server has sent meanwhile
//	lsp hear NAME WORD        prints what the server sends up to the message with WORD
//	lsp end NAME STATUS       closes the input, and prints stderr; agent lsp must exit with STATUS
//	lsp ended NAME STATUS     the same, without closing the input
func (all *languageClients) command(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: lsp start|say|hear|end|ended NAME LANGUAGE|FILE|WORD|STATUS")
	}
	verb, key, operand := args[0], ts.Getenv("WORK")+" "+args[1], args[2]
	all.mu.Lock()
	c := all.running[key]
	if c == nil {
		c = &languageClient{}
		all.running[key] = c
	}
	all.mu.Unlock()
	switch verb {
	case "start":
		c.start(ts, operand)
	case "say":
		c.say(ts, strings.ReplaceAll(ts.ReadFile(operand), "$WORK", ts.Getenv("WORK")))
	case "hear":
		for !strings.Contains(c.receive(ts), operand) {
		}
	case "end", "ended":
		if verb == "end" {
			ts.Check(c.in.Close())
		}
		c.end(ts, operand)
	default:
		ts.Fatalf("lsp %s is no command", verb)
	}
}

func (c *languageClient) start(ts *testscript.TestScript, language string) {
	*c = languageClient{cmd: exec.Command(filepath.Join(os.Getenv("TIDEPOOL_TEST_BIN"), "agent"), "lsp", language)}
	c.cmd.Dir = ts.MkAbs(".")
	c.cmd.Env = scriptEnv(ts)
	c.cmd.Stderr = &c.stderr
	var err error
	c.in, err = c.cmd.StdinPipe()
	ts.Check(err)
	out, err := c.cmd.StdoutPipe()
	ts.Check(err)
	c.out = bufio.NewReader(out)
	ts.Check(c.cmd.Start())
	timer := time.AfterFunc(3*time.Minute, func() { _ = c.cmd.Process.Kill() })
	ts.Defer(func() {
		timer.Stop()
		_ = c.cmd.Process.Kill()
		_ = c.cmd.Wait()
	})
}

func (c *languageClient) say(ts *testscript.TestScript, lines string) {
	for line := range strings.Lines(lines) {
		body := strings.TrimSpace(line)
		_, err := fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
		ts.Check(err)
		for id := requestID(ts, body); id != "" && requestID(ts, c.receive(ts)) != id; {
		}
	}
}

// receive returns the next message, and prints it.
func (c *languageClient) receive(ts *testscript.TestScript) string {
	header, err := textproto.NewReader(c.out).ReadMIMEHeader()
	ts.Check(err)
	size, err := strconv.Atoi(header.Get("Content-Length"))
	ts.Check(err)
	body := make([]byte, size)
	_, err = io.ReadFull(c.out, body)
	ts.Check(err)
	if !json.Valid(body) {
		ts.Fatalf("not JSON: %s", body)
	}
	_, err = fmt.Fprintf(ts.Stdout(), "%s\n", body)
	ts.Check(err)
	return string(body)
}

func (c *languageClient) end(ts *testscript.TestScript, status string) {
	rest, err := io.ReadAll(c.out)
	ts.Check(err)
	_ = c.cmd.Wait() // the status tells
	_, _ = ts.Stdout().Write(rest)
	_, _ = ts.Stderr().Write(c.stderr.Bytes())
	if got := strconv.Itoa(c.cmd.ProcessState.ExitCode()); got != status {
		ts.Fatalf("agent lsp exited with %s, want %s: %s", got, status, c.stderr.Bytes())
	}
}
