package lsptest

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"go.lsp.dev/jsonrpc2"
)

// Plays makes the server say what another has said. path is a file of lines, each a method and what it is answered
// with: "method -> answer" for a request, "method => method params" for a notification that follows what the client
// has sent. Each time the client sends a method, the next line for it is played, with the lines for * right behind it.
func Plays(path string) Behaviour { return Behaviour("plays:" + path) }

// A part is what Plays has to say.
type part struct {
	heard  string
	method string // "": the answer
	params json.RawMessage
}

func readParts(path string) []part {
	data, err := os.ReadFile(path)
	if err != nil {
		panic(err) // a test cannot go on without it
	}
	var parts []part
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if heard, answer, ok := strings.Cut(line, " -> "); ok {
			parts = append(parts, part{heard: heard, params: json.RawMessage(answer)})
		} else if heard, said, ok := strings.Cut(line, " => "); ok {
			method, params, _ := strings.Cut(said, " ")
			parts = append(parts, part{heard: heard, method: method, params: json.RawMessage(params)})
		}
	}
	return parts
}

// play returns what is due after a method, and returns the answer if there is one.
func (s *server) play(method string) (answer any, ok bool) {
	for i, p := range s.parts {
		if p.heard != method {
			continue
		}
		s.parts = append(s.parts[:i:i], s.parts[i+1:]...)
		answer, ok = s.say(p)
		for ; i < len(s.parts) && s.parts[i].heard == "*"; s.parts = append(s.parts[:i:i], s.parts[i+1:]...) {
			s.say(s.parts[i])
		}
		return answer, ok
	}
	return nil, false
}

func (s *server) say(p part) (answer any, ok bool) {
	if p.method == "" {
		return p.params, true
	}
	s.tasks <- func() {
		s.conn.Notify(context.Background(), p.method, p.params)
	}
	return nil, false
}

// played plays what is due after a message.
func (s *server) played(req *jsonrpc2.Request) (answer any, ok bool) {
	if s.parts == nil {
		return nil, false
	}
	return s.play(req.Method())
}
