package protocol

import "encoding/json"

// MaxScrubText is the longest Text of a [ScrubText], in bytes.
const MaxScrubText = 256 << 10

// A ScrubText asks for a part of a command's output without its secrets. The daemon keeps nothing of it: what it does not take now
// the client sends again, with what follows. The connection counts as an attached client.
type ScrubText struct {
	Session string `json:"session,omitempty"` // the client's session, as in the input of its hooks; "" = not known
	Text    []byte `json:"text"`              // any bytes, in base64 on the wire; at most MaxScrubText
	More    bool   `json:"more,omitempty"`    // the text goes on
	// Pause means that nothing has followed for a moment, so whole lines are wanted now. Without it the last lines may
	// be held back, because a secret may go on behind them.
	Pause bool `json:"pause,omitempty"`
	// Fingerprints are as in a [HookEvent].
	Fingerprints json.RawMessage `json:"fingerprints,omitempty"`
}

// A ScrubbedText answers a [ScrubText].
type ScrubbedText struct {
	Text  []byte `json:"text"`          // without secrets, in base64 on the wire
	Taken int    `json:"taken"`         // bytes of the request's Text that Text stands for; without More that is all
	Off   bool   `json:"off,omitempty"` // the settings switch scrubbing off, and Text is as it was
}

func (*ScrubText) requestType() string     { return "ScrubText" }
func (*ScrubbedText) responseType() string { return "ScrubbedText" }
