package ollama

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"sync"
	"time"

	"github.com/ollama/ollama/api"

	"tidepool/internal/state"
)

// maxRecord bounds the file of a [Recorder], in bytes. Beyond, it is renamed, and
// the one that was renamed before goes.
const maxRecord = 32 << 20

// A Recorder writes what a model is asked and what it answers into a file, a line
// of JSON each, for whoever wants to look at a model's work or train one. What
// looks like a credential is left out; the file is its owner's alone to read. It
// is safe for concurrent use.
type Recorder struct {
	path string

	mu   sync.Mutex
	file *os.File
	size int64
	err  error // the first that writing gave; nothing is written after it
}

// A Recording is one line of the file.
type Recording struct {
	Time      time.Time      `json:"time"`
	Model     string         `json:"model"`
	Prompt    string         `json:"prompt"`              // as the model is given it
	Content   string         `json:"content,omitempty"`   // what it wrote beside calls
	Calls     []RecordedCall `json:"calls,omitempty"`     // in their order
	Done      string         `json:"done,omitempty"`      // why it stopped, in Ollama's word
	Problem   string         `json:"problem,omitempty"`   // why the answer cannot be used, or there is none
	MS        int64          `json:"ms"`                  // from the request to the reply
	Evaluated int            `json:"evaluated,omitempty"` // tokens of the prompt
}

// A RecordedCall is a call as it came.
type RecordedCall struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// OpenRecorder appends to a file, which it makes, with its directory, if it is not
// there. The caller closes it.
func OpenRecorder(path string) (*Recorder, error) {
	r := &Recorder{path: path}
	if err := r.open(); err != nil {
		return nil, fmt.Errorf("recording the model's answers: %w", err)
	}
	return r, nil
}

func (r *Recorder) open() error {
	var file *os.File
	err := state.Within(r.path, func(f *state.File) (err error) {
		file, err = f.Append()
		return err
	})
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil {
		err = file.Chmod(0o600)
	}
	if err != nil {
		file.Close()
		return err
	}
	r.file, r.size = file, info.Size()
	return nil
}

// Close returns the first error that writing gave.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.file.Close()
	if r.err != nil {
		return r.err
	}
	return err
}

// write appends a recording. What fails does not concern who asked the model.
func (r *Recorder) write(line []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return
	}
	if r.size > 0 && r.size+int64(len(line)) > maxRecord {
		if r.err = r.turn(); r.err != nil {
			return
		}
	}
	n, err := r.file.Write(line)
	r.size, r.err = r.size+int64(n), err
}

func (r *Recorder) turn() error {
	err := state.Within(r.path, func(f *state.File) error { return f.Rename(f.Name() + ".1") })
	if err != nil {
		return err
	}
	r.file.Close() // its lines are written
	return r.open()
}

// record keeps what became of a prompt. A nil Recorder keeps nothing.
func (r *Recorder) record(model string, p Prompt, begun time.Time, reply *api.ChatResponse, err error) {
	if r == nil {
		return
	}
	text, renderErr := p.Render()
	if renderErr != nil {
		text = p.System + "\n" + p.User
	}
	line := Recording{Time: begun.UTC(), Model: model, Prompt: hide(text), MS: time.Since(begun).Milliseconds()}
	if err != nil {
		line.Problem = hide(err.Error())
	}
	if reply != nil {
		line.Content, line.Done, line.Evaluated = hide(reply.Message.Content), reply.DoneReason, reply.PromptEvalCount
		for _, call := range reply.Message.ToolCalls {
			arguments := make(map[string]any)
			for name, value := range call.Function.Arguments.All() {
				if text, ok := value.(string); ok {
					value = hide(text)
				}
				arguments[name] = value
			}
			line.Calls = append(line.Calls, RecordedCall{Name: call.Function.Name, Arguments: arguments})
		}
	}
	data, marshalErr := json.Marshal(line)
	if marshalErr != nil { // arguments came as JSON
		return
	}
	r.write(append(data, '\n'))
}

var credentials = []func() *regexp.Regexp{
	pattern(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|$)`),
	pattern(`\b(sk-[\w-]{8,}|gh[pousr]_\w{8,}|github_pat_\w{8,}|glpat-[\w-]{8,}|xox[abpr]-[\w-]{8,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{20,}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*)`),
	pattern(`://[^\s/:@]+:[^\s/@]+@`),
}

// assigned matches a literal that something with the name of a secret gets.
var assigned = pattern("(?i)((?:password|passwd|passphrase|secret|token|api_?key|private_?key|credential|bearer|authorization)[\\w\"'\\]]*\\s*(?::=|=|:)\\s*)(\"[^\"\n]+\"|'[^'\n]+'|`[^`]+`)")

// hide takes out what looks like a credential.
func hide(text string) string {
	for _, credential := range credentials {
		text = credential().ReplaceAllString(text, "[hidden]")
	}
	return assigned().ReplaceAllString(text, `${1}"[hidden]"`)
}
