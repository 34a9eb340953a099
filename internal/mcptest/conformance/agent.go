package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"

	"tidepool/protocol"
)

// A process is one `agent mcp`. Each line that it says goes to everyone who
// listens at that moment. Goroutines: one reads the lines and ends with the
// process.
type process struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	ended chan struct{}

	mu        sync.Mutex
	listeners []*listener
}

// A listener gets lines until it leaves, or the process has ended.
type listener struct {
	lines chan line
	left  chan struct{}
}

// A line is one message of the agent.
type line struct {
	text   []byte
	id     string // of a response, as it is written; "" for a notification
	method string // of a notification
	token  string // the progress token of a notification, as it is written
	code   int    // of an error; 0: none
}

func startAgent(program, dir string) (*process, error) {
	p := &process{cmd: exec.Command(program, "mcp"), ended: make(chan struct{})}
	p.cmd.Dir = dir
	p.cmd.Env = []string{"TIDEPOOL_PROJECT_DIR=" + dir, "TIDEPOOL_AUTOSTART=0"}
	p.cmd.Stderr = os.Stderr
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.read(stdout)
	return p, nil
}

func (p *process) read(stdout io.Reader) {
	defer close(p.ended)
	lines := protocol.NewReader(stdout)
	for {
		text, err := lines.ReadLine()
		if err != nil {
			_ = p.cmd.Wait() // how it ended matters to nobody
			return
		}
		p.tell(parseLine(slices.Clone(text)))
	}
}

func parseLine(text []byte) line {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"params"`
		Error struct {
			Code int `json:"code"`
		} `json:"error"`
	}
	_ = json.Unmarshal(text, &m) // what is no JSON, the suite shall see
	return line{text, string(m.ID), m.Method, string(m.Params.Token), m.Error.Code}
}

func (p *process) tell(l line) {
	p.mu.Lock()
	listeners := slices.Clone(p.listeners)
	p.mu.Unlock()
	for _, each := range listeners {
		select {
		case each.lines <- l:
		case <-each.left:
		}
	}
}

func (p *process) listen() *listener {
	l := &listener{lines: make(chan line), left: make(chan struct{})}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listeners = append(p.listeners, l)
	return l
}

func (p *process) leave(l *listener) {
	close(l.left)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listeners = slices.DeleteFunc(p.listeners, func(other *listener) bool { return other == l })
}

// send writes one message, on one line.
func (p *process) send(message json.RawMessage) error {
	_, err := p.stdin.Write(append(slices.Clone(message), '\n'))
	return err
}

// end stops the process and waits for it.
func (p *process) end() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	<-p.ended
}
