package mcp

import (
	"bytes"
	"encoding/json"
	"sync"

	"tidepool/protocol"
)

// A batch collects the answers to the messages of one line until the last has
// come, and then sends them in the order in which they came.
type batch struct {
	write answerFunc

	mu      sync.Mutex
	open    int
	answers [][]byte
}

func (s *server) receiveBatch(line []byte) {
	s.mu.Lock()
	allowed := s.revision == batchRevision
	s.mu.Unlock()
	var parts []json.RawMessage
	switch err := json.Unmarshal(line, &parts); {
	case err != nil:
		s.write(errorLine(nil, &rpcError{Code: protocol.CodeParse, Message: "Parse error: this line is not JSON"}))
	case !allowed:
		s.write(errorLine(nil, invalid("only protocol version "+batchRevision+" has batches: send one message a line")))
	case len(parts) == 0:
		s.write(errorLine(nil, invalid("a batch holds at least one message")))
	default:
		b := &batch{write: s.write, open: len(parts)}
		for _, part := range parts {
			s.handle(part, b.answer)
		}
	}
}

func (b *batch) answer(line []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if line != nil {
		b.answers = append(b.answers, line)
	}
	if b.open--; b.open > 0 || len(b.answers) == 0 {
		return
	}
	b.write(append(append([]byte{'['}, bytes.Join(b.answers, []byte{','})...), ']'))
}
