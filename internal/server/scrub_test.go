package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"tidepool/protocol"
)

// upper is a scrubber that takes whole lines and changes them visibly.
type upper struct{}

func (upper) Scrub(_ context.Context, r *protocol.ScrubText) *protocol.ScrubbedText {
	taken := bytes.LastIndexByte(r.Text, '\n') + 1
	return &protocol.ScrubbedText{Text: bytes.ToUpper(r.Text[:taken]), Taken: taken}
}

func scrubLine(text string) string {
	return `{"type":"ScrubText","text":"` + base64.StdEncoding.EncodeToString([]byte(text)) + `","more":true}` + "\n"
}

// The connection of an output counts as an attached client: the daemon stays while a command runs.
func TestScrubText(t *testing.T) {
	c := dial(t, serveOn(t, Options{Scrubber: upper{}}))
	c.send(scrubLine("one\n\xfftwo"))
	c.expect(`{"type":"ScrubbedText","text":"T05FCg==","taken":4}`)
	c.send(`{"type":"StatusRequest"}` + "\n")
	c.expect(`…"clients":1,`)
	c.send(scrubLine(strings.Repeat("x", protocol.MaxScrubText+1)))
	c.expect(`…send at most 262144 at a time`)
	c.send(`{"type":"ScrubText","text":"no base64!"}` + "\n")
	c.expect(`…-32602`)
	none := dial(t, serveOn(t, Options{}))
	none.send(scrubLine("x"))
	none.expect(`…this daemon scrubs no output`)
}
