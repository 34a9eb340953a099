package transcripttest

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// quote returns a JSON string.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has one
	}
	return string(b)
}

func orNull(uuid string) string {
	if uuid == "" {
		return "null"
	}
	return `"` + uuid + `"`
}

// A record is one line of the tree: what its keys say beyond those that all lines have.
type record struct {
	uuid, parent string
	body         string // members, each followed by a comma
	late         bool   // the type stands behind the body
	kind         string
	sidechain    bool
	session      string // "": the file's own, or the parent's of a subagent
	at           time.Time
}

// line returns the record as Claude Code writes it: compact, with keys in a varying order.
func (m *maker) line(r record) string {
	var b strings.Builder
	b.WriteString(`{"parentUuid":` + orNull(r.parent) + `,"isSidechain":` + strconv.FormatBool(r.sidechain) + `,`)
	if !r.late {
		b.WriteString(`"type":"` + r.kind + `",`)
	}
	b.WriteString(r.body)
	if r.late {
		b.WriteString(`"type":"` + r.kind + `",`)
	}
	session := cmp.Or(r.session, m.o.Parent, m.o.Session)
	if r.sidechain {
		b.WriteString(`"agentId":"` + strings.TrimPrefix(m.o.Session, "agent-") + `",`)
	}
	b.WriteString(`"uuid":"` + r.uuid + `","timestamp":"` + r.at.Format("2006-01-02T15:04:05.000Z") +
		`","userType":"external","entrypoint":"cli","cwd":` + quote(m.o.Cwd) + `,"sessionId":"` + session +
		`","version":"2.1.328","gitBranch":` + quote(m.o.Branch) + `}`)
	return b.String()
}

func userBody(content string) string {
	return `"promptId":"0ca382b0-6bd7-486f-a09e-211ffb89e4f9","message":{"role":"user","content":` + content + `},`
}

func assistantBody(id string, blocks ...string) string {
	return `"message":{"id":"` + id + `","type":"message","role":"assistant","model":"claude-opus-5-5","content":[` + strings.Join(blocks, ",") +
		`],"stop_reason":null,"usage":{"input_tokens":10,"cache_read_input_tokens":20112,"output_tokens":312,"service_tier":"standard"}},"requestId":"req_` + id + `",`
}

func textBlock(text string) string { return `{"type":"text","text":` + quote(text) + `}` }
