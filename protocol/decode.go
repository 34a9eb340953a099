package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A spliced message is decoded from its scanned members and encoded around raw
// ones, because it is frequent or carries foreign JSON. All other messages use
// encoding/json.
type spliced interface {
	// set stores one member. It ignores unknown keys, and is not called for null.
	set(key, value []byte) error
	// appendFields appends the members after "type", each after its comma.
	appendFields(dst []byte) []byte
}

// A demanding message has required members.
type demanding interface {
	// missing returns the first of them that has not been decoded; "" = none.
	missing() string
}

// DecodeRequest decodes one line. Errors are *[Error]; raw JSON in the result
// aliases line.
func DecodeRequest(line []byte) (Request, error) {
	return decode(line, requests, "request")
}

// DecodeResponse decodes one line. Errors are *[Error]; raw JSON in the result
// aliases line.
func DecodeResponse(line []byte) (Response, error) {
	return decode(line, responses, "response")
}

// decode decodes a line. Its "type" selects the constructor from the table. A
// repeated field, an unknown type and a missing required member are errors.
func decode[M any](line []byte, table map[string]func() M, what string) (M, error) {
	var none M
	var room [8]field
	fields, err := scanObject(room[:0], line, maxFields)
	if err == errTooManyFields {
		return none, errorf(CodeInvalidRequest, "cannot read this %s: %v: send at most %d", what, err, maxFields)
	}
	if err != nil {
		return none, errorf(CodeParse, "cannot read this line: %v: send one JSON object a line", err)
	}
	if key, ok := repeated(fields); ok {
		return none, errorf(CodeInvalidRequest, "cannot read this %s: %s is given twice: send each field once", what, quote(key))
	}
	name, err := typeOf(fields)
	if err != nil {
		return none, errorf(CodeInvalidRequest, "cannot read this %s: type: %v: send {\"type\":\"Ping\"} or another message", what, err)
	}
	make, ok := table[name]
	if !ok {
		return none, errorf(CodeMethodNotFound, "unknown %s type %s: this side knows %s", what, quote(name), names(table))
	}
	m := make()
	if err := fill(m, fields, line); err != nil {
		return none, errorf(CodeInvalidParams, "%s does not fit: %v", name, err)
	}
	return m, nil
}

// maxFields bounds the fields of a message, which has about twenty at most.
const maxFields = 64

// repeated returns a field that occurs twice. Peers splice foreign JSON into their
// lines, and its content must not become another message.
func repeated(fields []field) (key string, ok bool) {
	for i, f := range fields {
		for _, earlier := range fields[:i] {
			if string(earlier.key) == string(f.key) {
				return string(f.key), true
			}
		}
	}
	return "", false
}

// typeOf returns the member "type", which may stand anywhere in the line.
func typeOf(fields []field) (name string, err error) {
	found := false
	for _, f := range fields {
		if string(f.key) == "type" {
			found = true
			name, err = stringValue(f.value)
		}
	}
	if !found {
		err = errors.New("is missing")
	}
	return name, err
}

// fill stores the members in the message: in a spliced message one by one, in all
// others through encoding/json.
func fill(m any, fields []field, line []byte) error {
	if s, ok := m.(spliced); ok {
		if err := setAll(s, fields); err != nil {
			return err
		}
	} else if err := unmarshal(line, m); err != nil {
		return err
	}
	if d, ok := m.(demanding); ok && d.missing() != "" {
		return fmt.Errorf("%s: is required", d.missing())
	}
	return nil
}

// setAll stores all members but those that are null.
func setAll(s spliced, fields []field) error {
	for _, f := range fields {
		if f.value[0] == 'n' { // null is absence
			continue
		}
		if err := s.set(f.key, f.value); err != nil {
			return fmt.Errorf("%s: %w", f.key, err)
		}
	}
	return nil
}

func unmarshal(line []byte, m any) error {
	err := json.Unmarshal(line, m)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s: expected %s, got %s", wrong.Field, wrong.Type, wrong.Value)
	}
	return err
}

func (m *HookEvent) set(key, value []byte) (err error) {
	switch string(key) {
	case "input":
		m.Input = value
	case "runtime":
		if m.Runtime, err = stringValue(value); err == nil && !IsRuntime(m.Runtime) {
			err = fmt.Errorf("expected \"claude\", \"codex\", \"cursor\" or \"gemini\", got %s", quote(m.Runtime))
		}
	case "event":
		var name string
		name, err = stringValue(value)
		m.Event = Event(name)
	case "no_recall":
		m.NoRecall, err = boolValue(value)
	case "fingerprints":
		m.Fingerprints = bytes.Clone(value) // the input may be moved out of the line
	}
	return err
}

func (m *HookEvent) missing() string {
	if m.Input == nil {
		return "input"
	}
	return ""
}

func (m *HookResponse) set(key, value []byte) error {
	switch string(key) {
	case "output":
		m.Output = value
	case "exit_code":
		n, err := intValue(value)
		m.ExitCode = int(n)
		return err
	}
	return nil
}

func (m *MCPToolCall) set(key, value []byte) (err error) {
	switch string(key) {
	case "id":
		m.ID, err = stringValue(value)
	case "tool_name":
		m.ToolName, err = stringValue(value)
	case "arguments":
		m.Arguments = value
	case "progress":
		m.Progress, err = boolValue(value)
	case "elicit":
		m.Elicit, err = boolValue(value)
	case "stays":
		m.Stays, err = boolValue(value)
	case "timeout_ms":
		m.TimeoutMS, err = intValue(value)
	case "meta":
		m.Meta = new(CallMeta)
		err = unmarshal(value, m.Meta)
	}
	return err
}

func (m *MCPToolCall) missing() string {
	if m.ToolName == "" {
		return "tool_name"
	}
	return ""
}

func (m *MCPToolResponse) set(key, value []byte) (err error) {
	switch string(key) {
	case "id":
		m.ID, err = stringValue(value)
	case "result":
		m.Result = value
	case "error":
		m.Error = new(Error)
		err = unmarshal(value, m.Error)
	case "text":
		m.Text, err = stringValue(value)
	}
	return err
}

func (m *MCPRequest) set(key, value []byte) (err error) {
	switch string(key) {
	case "id":
		m.ID, err = stringValue(value)
	case "method":
		m.Method, err = stringValue(value)
	case "params":
		m.Params = value
	case "meta":
		m.Meta = new(CallMeta)
		err = unmarshal(value, m.Meta)
	}
	return err
}

func (m *MCPRequest) missing() string {
	if m.Method == "" {
		return "method"
	}
	return ""
}

func (m *MCPResult) set(key, value []byte) (err error) {
	switch string(key) {
	case "id":
		m.ID, err = stringValue(value)
	case "result":
		m.Result = value
	case "error":
		m.Error = new(Error)
		err = unmarshal(value, m.Error)
	}
	return err
}

func (m *LSPAttach) missing() string {
	if m.Language == "" {
		return "language"
	}
	return ""
}

func stringValue(value []byte) (string, error) {
	if value[0] != '"' {
		return "", fmt.Errorf("expected a string, got %s", kindOf(value))
	}
	return unquote(value)
}

func boolValue(value []byte) (bool, error) {
	if kindOf(value) != "a boolean" {
		return false, fmt.Errorf("expected a boolean, got %s", kindOf(value))
	}
	return value[0] == 't', nil
}

func intValue(value []byte) (int64, error) {
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("expected an integer, got %s", kindOf(value))
	}
	return n, nil
}

// kindOf returns the JSON type of a value, for errors.
func kindOf(value []byte) string {
	switch value[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "the number " + clip(string(value), 30)
}

// names returns the message types of a table, sorted, for errors.
func names[M any](table map[string]func() M) string {
	var list []string
	for name := range table {
		list = append(list, name)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// quote renders foreign text for an error message: short and without control
// characters.
func quote(s string) string { return strconv.QuoteToASCII(clip(s, 60)) }

// clip cuts foreign text for an error message. This package imports no other of
// tidepool, so it has its own.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n] + "…"
}
