package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"tidepool/internal/wording"
)

// maxInput bounds the input of an entry, in bytes.
const maxInput = 16 << 10

// maxLine is more than a line can have, in bytes: JSON writes a byte as six at most.
const maxLine = 256 << 10

// An Entry is one use of a tool.
type Entry struct {
	Time       time.Time      `json:"time"`
	Session    string         `json:"session,omitempty"`
	Agent      string         `json:"agent,omitempty"` // of a subagent
	Tool       string         `json:"tool"`
	Input      string         `json:"input"`                 // scrubbed; its first 16 KB
	InputBytes int            `json:"input_bytes,omitempty"` // of the whole input, if that is more
	Exit       *int           `json:"exit,omitempty"`        // status of a command; nil: none ran
	Refused    string         `json:"refused,omitempty"`     // why nothing was done
	MS         int64          `json:"ms"`                    // milliseconds that it took
	Bytes      int64          `json:"bytes"`                 // of the output, kept or not, or of what was written
	SHA256     string         `json:"sha256,omitempty"`      // of the scrubbed output that was kept, in hex; "": there is none
	Secrets    map[string]int `json:"secrets,omitempty"`     // taken out of input and output, by name of the rule
	Isolation  string         `json:"isolation,omitempty"`   // full, partial or none
	Torn       int            `json:"torn,omitempty"`        // bytes of an unfinished line that stood before this one
}

// A Line is an Entry in its place.
type Line struct {
	N int64 `json:"n"` // from 1
	Entry
	Before string `json:"before"` // hash of the line before; "" if n is 1
}

// encode returns the line without its line feed, within bounds.
func (l Line) encode() ([]byte, error) {
	if n := len(l.Input); n > maxInput {
		l.Input, l.InputBytes = wording.ClipBytes(l.Input, maxInput), n
	}
	for _, text := range []*string{&l.Session, &l.Agent, &l.Tool, &l.Refused} {
		*text = wording.ClipBytes(*text, 1000)
	}
	return json.Marshal(l)
}

// hash returns the hash of a line.
func hash(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}
