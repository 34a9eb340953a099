package logging

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// A Record is one line of the log file, read back.
type Record struct {
	Time    time.Time
	Level   string // INFO, as slog writes it
	Message string
	Attrs   []Attr // in the order of the line
}

// An Attr is a name and a value of a Record. The value is the text of a string, and JSON of anything else.
type Attr struct{ Key, Value string }

// ParseRecord reads a line of the log file. The error says that it is no object of JSON.
func ParseRecord(line []byte) (Record, error) {
	var r Record
	dec := json.NewDecoder(bytes.NewReader(line))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return r, errors.Join(errNoRecord, err)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return r, errors.Join(errNoRecord, err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return r, errors.Join(errNoRecord, err)
		}
		r.set(key.(string), value)
	}
	_, err := dec.Token()
	return r, err
}

var errNoRecord = errors.New("the line is no record")

func (r *Record) set(key string, value json.RawMessage) {
	text := string(value)
	if value[0] == '"' {
		_ = json.Unmarshal(value, &text) // it has been decoded before
	}
	switch key {
	case slog.TimeKey:
		r.Time, _ = time.Parse(time.RFC3339Nano, text) // else the line has none
	case slog.LevelKey:
		r.Level = text
	case slog.MessageKey:
		r.Message = text
	default:
		r.Attrs = append(r.Attrs, Attr{key, text})
	}
}

// String writes the record on one line for a person: local time, level, message, attributes. Nothing in it can move a
// cursor.
func (r Record) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %-5s %s", r.Time.Local().Format("Jan _2 15:04:05"), Escape(r.Level), Escape(r.Message))
	for _, a := range r.Attrs {
		value := Escape(a.Value)
		if a.Value == "" || strings.ContainsAny(a.Value, " \"") {
			value = strconv.Quote(a.Value)
		}
		fmt.Fprintf(&b, " %s=%s", Escape(a.Key), value)
	}
	return b.String()
}

// SafeJSON returns a line of the log file for a terminal and for programs alike: the same JSON with everything
// unprintable as \u escapes. A line that is no JSON becomes the message of a record.
func SafeJSON(line []byte) []byte {
	if !json.Valid(line) {
		line, _ = json.Marshal(map[string]string{slog.MessageKey: string(line)}) // cannot fail
	}
	safe := make([]byte, 0, len(line))
	for _, r := range string(line) {
		switch {
		case r < ' ': // between tokens: strings have none
			safe = append(safe, ' ')
		case !unprintable(r):
			safe = append(safe, string(r)...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			safe = fmt.Appendf(safe, `\u%04x\u%04x`, high, low)
		default:
			safe = fmt.Appendf(safe, `\u%04x`, r)
		}
	}
	return safe
}
