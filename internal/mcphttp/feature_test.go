package mcphttp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"tidepool/internal/server"
	"tidepool/protocol"
)

// played answers each request with a result.
type played json.RawMessage

func (p played) Request(context.Context, *protocol.MCPRequest) (json.RawMessage, error) {
	return json.RawMessage(p), nil
}

// A client without a session is told that a result is whole, which the SDK says for its own handlers only.
func TestResultsAreMarked(t *testing.T) {
	d := open(t, server.Options{Features: played(`{"messages":[],"contents":[{"uri":"a:b","text":"c"}]}`)})
	for method, params := range map[string]string{"prompts/get": `"name":"a","_meta":{}`, "resources/read": `"uri":"a:b","_meta":{}`} {
		message := `{"jsonrpc":"2.0","id":2,"method":"` + method + `","params":{` + params + `}}`
		_, _, body := d.post(t, message, sessionHeader, d.begin(t))
		if !strings.Contains(body, `"result":{`) || strings.Contains(body, "resultType") {
			t.Errorf("%s with a session: %s", method, body)
		}
		name := map[string]string{"prompts/get": "a", "resources/read": "a:b"}[method]
		_, _, body = d.post(t, modern(strings.Replace(message, `"_meta":{}`, `"_meta":{"x":1}`, 1)),
			versionHeader, sessionless, methodHeader, method, "Mcp-Name", name)
		if !strings.Contains(body, `"resultType":"complete"`) {
			t.Errorf("%s without: %s", method, body)
		}
	}
}
