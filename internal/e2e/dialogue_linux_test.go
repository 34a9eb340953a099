package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
	"tidepool/tools"
)

// A dialogue calls tools of a shop in one session.
type dialogue struct {
	*shop
	session  string
	examples map[string][]tools.Example // of all tools, by name
	seen     map[string]string          // by kind, the first id in the last answer that has one
	said     string                     // the last answer
}

// ids are what an example cannot know. One in the arguments stands for the first one of its kind in the last answer that has one.
var ids = regexp.MustCompile(`\b(ref_[a-z2-7]{16}|mem_[0-9a-f]{12}|ghap_\d{8}_\d{6}_[0-9a-f]{6})\b`)

func kindOf(id string) string {
	kind, _, _ := strings.Cut(id, "_")
	return kind
}

// published returns the examples of all tools, as the program prints them.
func (s *shop) published(t *testing.T) map[string][]tools.Example {
	t.Helper()
	var entries map[string]struct {
		Examples []struct {
			Description string
			Input       json.RawMessage
			Answer      []string
		}
	}
	listed := end(t, s.command(t.Context(), "agent", "tools", "--json"))
	must(t, json.Unmarshal([]byte(listed.stdout), &entries))
	all := map[string][]tools.Example{}
	for name, entry := range entries {
		all[name] = nil
		for _, e := range entry.Examples {
			all[name] = append(all[name], tools.Example{Title: e.Description, Input: string(e.Input), Answer: e.Answer})
		}
	}
	return all
}

// call calls a tool as a model's client does, and returns the error of the reply.
func (d *dialogue) call(t *testing.T, tool, arguments string) error {
	t.Helper()
	arguments = ids.ReplaceAllStringFunc(arguments, func(id string) string { return d.seen[kindOf(id)] })
	conn, err := dial(daemontest.Socket(d.dir))
	must(t, err)
	defer conn.Close()
	must(t, conn.SetDeadline(time.Now().Add(5*time.Minute)))
	_, err = conn.Write(protocol.AppendRequest(nil, &protocol.MCPToolCall{
		ID: "1", ToolName: tool, Arguments: json.RawMessage(arguments), TimeoutMS: 300_000, Meta: &protocol.CallMeta{Session: d.session, Cwd: d.dir, Client: "test"},
	}))
	must(t, err)
	for in := bufio.NewReader(conn); ; {
		line, err := in.ReadBytes('\n')
		must(t, err)
		response, err := protocol.DecodeResponse(line)
		must(t, err)
		if r, is := response.(*protocol.MCPToolResponse); is { // not how far the call is
			return d.read(r)
		}
	}
}

// read keeps what an answer says.
func (d *dialogue) read(r *protocol.MCPToolResponse) error {
	if r.Error != nil {
		return fmt.Errorf("%w: %s", r.Error, r.Text)
	}
	d.said = r.Text
	for _, id := range slices.Backward(ids.FindAllString(d.said, -1)) {
		d.seen[kindOf(id)] = id
	}
	return nil
}
