package mcp

import (
	"encoding/json"
	"testing"
)

// FuzzParseMessage checks that whatever a client writes, the answer to it is
// one line of JSON-RPC.
func FuzzParseMessage(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":"a\u0000","method":"tools/call","params":{"name":"x","_meta":{"progressToken":1e9}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":-0}}`,
		`{"jsonrpc":"2.0","id":null,"result":null}`,
		`{"id":1,"id":2,"jsonrpc":2}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"9\u0000\""}}}`,
		`[]`, `null`, `"`, ``, "{\"id\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseMessage(data)
		if m.id != nil && !isID(m.id) {
			t.Errorf("id %s", m.id)
		}
		_ = key(m.id)
		if meta := parseMeta(m.params); err == nil && meta.isModern() {
			err = meta.check()
		}
		line := reply(m.id, json.RawMessage("{}"), err)
		if err == nil && m.id == nil {
			return // a notification: no answer
		}
		var answer struct {
			JSONRPC string           `json:"jsonrpc"`
			ID      *json.RawMessage `json:"id"`
			Result  json.RawMessage  `json:"result"`
			Error   *rpcError        `json:"error"`
		}
		if decodeErr := json.Unmarshal(line, &answer); decodeErr != nil || answer.JSONRPC != "2.0" {
			t.Fatalf("%q is answered with %q: %v", data, line, decodeErr)
		}
		if (answer.Error == nil) == (answer.Result == nil) {
			t.Errorf("%q is answered with %q", data, line)
		}
	})
}
