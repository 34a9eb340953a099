package analysis

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"tidepool/internal/golang/process"
	"tidepool/internal/memory"
	"tidepool/internal/wording"
)

const (
	watching   = 100 * time.Millisecond // how often the process's memory is looked at
	wordsKept  = 16 << 10               // bytes of its standard error; Go says first what matters
	reasonKept = 200                    // runes of that in a reason
	hanging    = 3                      // times the patience of a question without an answer, cancelled ones included
)

// A run is one life of the process.
// Goroutines: those of the process; read, which takes its replies until their end, then ends the process and fails the questions
// that are left; watch, which ends it when it is idle, too large or
// hangs.
type run struct {
	client  *Client
	process *process.Process
	words   head // of its standard error
	kept    int  // files that were written; belongs to read

	sending sync.Mutex // before Client.mu
	in      io.WriteCloser
	sent    []string // sources of the last request

	// Client.mu guards these.
	next    int
	pending map[int]chan<- outcome
	used    time.Time // when a question came or was answered
	moved   time.Time // when one was answered, or came while none was waiting
	ending  *Failure  // why it is ended; nil: it is not, or nobody waits
	ended   bool
}

// An outcome is a reply, or why there is none.
type outcome struct {
	Reply
	failure *Failure
}

// start starts the process. Client.mu is held.
func (c *Client) start() (*run, error) {
	cmd := exec.Command(c.options.Program[0], c.options.Program[1:]...)
	cmd.Args[0] = Subcommand // by which it is known among processes
	v := &run{client: c, words: head{limit: wordsKept}, pending: make(map[int]chan<- outcome), used: time.Now()}
	cmd.Env, cmd.Dir, cmd.Stderr = environment(c.options.Limit), "/", &v.words
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, v.in = writer, in
	v.process, err = process.Start(cmd, 0)
	writer.Close()
	if err != nil {
		out.Close()
		return nil, err
	}
	replied := make(chan struct{})
	c.ends.Go(func() { v.read(out, replied) })
	c.ends.Go(func() { v.watch(replied) })
	return v, nil
}

// environment has the variables by which Go finds packages, and a part of the limit, above which the garbage collector takes pains.
func environment(limit int64) []string {
	env := []string{fmt.Sprintf("GOMEMLIMIT=%d", limit/5*4)}
	for _, name := range []string{"PATH", "HOME", "GOROOT", "GOPATH", "GOMODCACHE", "GOOS", "GOARCH", "GOAMD64", "GOARM", "GOARM64", "GO386", "GOEXPERIMENT", "CGO_ENABLED"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// register makes a number for a question. Client.mu is held.
func (v *run) register() (id int, answered <-chan outcome) {
	v.next++
	if v.used = time.Now(); len(v.pending) == 0 {
		v.moved = v.used
	}
	outcome := make(chan outcome, 1)
	v.pending[v.next] = outcome
	return v.next, outcome
}

// send writes a request. One that the process does not read fails with its end.
func (v *run) send(r Request) {
	v.sending.Lock()
	defer v.sending.Unlock()
	if !r.Cancel {
		if v.sent == nil {
			r.Kept = v.client.options.Kept
		}
		if r.Same = v.sent != nil && slices.Equal(v.sent, r.Sources); r.Same {
			r.Sources = nil
		} else {
			v.sent = slices.Clone(r.Sources)
		}
	}
	line, err := json.Marshal(r)
	if err == nil {
		_, _ = v.in.Write(append(line, '\n'))
	}
}

// read hands replies to who waits for them, until the process has ended.
func (v *run) read(out io.ReadCloser, replied chan<- struct{}) {
	defer close(replied)
	defer out.Close()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, MaxMessage)
	for lines.Scan() {
		var r Reply
		if json.Unmarshal(lines.Bytes(), &r) != nil {
			break
		}
		if r.Keep != nil {
			v.keep(r.Keep)
			continue
		}
		v.answer(r)
	}
	Kept(v.client.options.Kept).Trim()
	v.process.Kill()
	v.finish(lines.Err())
}

// trimming is after how many files the directory of what is kept is trimmed, but for the end of the process.
const trimming = 500

// keep writes what the process has found out. What cannot be written is found out again by the next process.
func (v *run) keep(k *Keep) {
	kept := Kept(v.client.options.Kept)
	_ = kept.Write(k.Subject, k.Key, k.Data)
	if v.kept++; v.kept%trimming == 0 {
		kept.Trim()
	}
}

func (v *run) answer(r Reply) {
	v.client.mu.Lock()
	defer v.client.mu.Unlock()
	v.used = time.Now()
	v.moved = v.used
	if answered, ok := v.pending[r.ID]; ok {
		delete(v.pending, r.ID)
		answered <- outcome{Reply: r}
	}
}

// finish fails the questions that are left, once the process has ended.
func (v *run) finish(broken error) {
	c := v.client
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run == v {
		c.run = nil
	}
	if v.ending == nil {
		how := v.process.Cmd.ProcessState.String()
		if broken != nil {
			how = broken.Error()
		}
		if words := wording.Line(v.words.String(), reasonKept); words != "" {
			how += ": " + words
		}
		v.ending = ended(how)
	}
	for _, answered := range v.pending {
		answered <- outcome{failure: v.ending}
	}
	v.pending = nil
}

// end has the process killed, for a reason. No question comes to it any more. Client.mu is held.
func (v *run) end(why *Failure) {
	if v.ended {
		return
	}
	v.ended, v.ending = true, why
	if v.client.run == v {
		v.client.run = nil
	}
	v.client.ends.Go(v.process.Kill)
}

// watch ends the process when nobody has asked for a while, or when it occupies too much.
func (v *run) watch(replied <-chan struct{}) {
	tick := time.NewTicker(watching)
	defer tick.Stop()
	for {
		v.look()
		select {
		case <-tick.C:
		case <-replied:
			return
		}
	}
}

func (v *run) look() {
	options := v.client.options
	occupied := memory.Resident(context.Background(), v.process.Cmd.Process.Pid)
	v.client.mu.Lock()
	defer v.client.mu.Unlock()
	switch {
	case occupied > options.Limit:
		v.end(tooLarge(options.Limit))
	case len(v.pending) > 0 && time.Since(v.moved) > hanging*options.Patience:
		v.end(ended(fmt.Sprintf("it had answered nothing for %v", hanging*options.Patience)))
	case len(v.pending) == 0 && time.Since(v.used) > options.Idle:
		v.end(nil)
	}
}

// A head keeps the first bytes that are written to it.
type head struct {
	bytes.Buffer
	limit int
}

func (h *head) Write(p []byte) (int, error) {
	h.Buffer.Write(p[:min(len(p), max(h.limit-h.Len(), 0))])
	return len(p), nil
}
