package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// AppendRequest appends r as one line, with its newline.
func AppendRequest(dst []byte, r Request) []byte {
	return appendMessage(dst, r.requestType(), r)
}

// AppendResponse appends r as one line, with its newline.
func AppendResponse(dst []byte, r Response) []byte {
	return appendMessage(dst, r.responseType(), r)
}

// appendMessage appends a message as one line, with its type as the first member.
func appendMessage(dst []byte, name string, m any) []byte {
	dst = append(dst, `{"type":"`...)
	dst = append(dst, name...)
	dst = append(dst, '"')
	if s, ok := m.(spliced); ok {
		dst = s.appendFields(dst)
	} else {
		dst = appendMembers(dst, m)
	}
	return append(dst, '}', '\n')
}

// appendMembers appends the members of the struct m as encoding/json writes them.
func appendMembers(dst []byte, m any) []byte {
	object := mustMarshal(m)
	if len(object) == len("{}") {
		return dst
	}
	dst = append(dst, ',')
	return append(dst, object[1:len(object)-1]...)
}

// mustMarshal encodes a type of this package. That fails only if a caller's raw
// JSON is not JSON, which is a bug.
func mustMarshal(v any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("encoding %T: %v", v, err))
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

func (m *HookEvent) appendFields(dst []byte) []byte {
	dst = appendRaw(append(dst, `,"input":`...), m.Input)
	if m.Runtime != "" {
		dst = appendString(append(dst, `,"runtime":`...), m.Runtime)
	}
	if m.Event != "" {
		dst = appendString(append(dst, `,"event":`...), string(m.Event))
	}
	if m.NoRecall {
		dst = append(dst, `,"no_recall":true`...)
	}
	if m.Fingerprints != nil {
		dst = appendRaw(append(dst, `,"fingerprints":`...), m.Fingerprints)
	}
	return dst
}

func (m *HookResponse) appendFields(dst []byte) []byte {
	dst = appendRaw(append(dst, `,"output":`...), m.Output)
	return strconv.AppendInt(append(dst, `,"exit_code":`...), int64(m.ExitCode), 10)
}

func (m *MCPToolCall) appendFields(dst []byte) []byte {
	dst = appendString(append(dst, `,"id":`...), m.ID)
	dst = appendString(append(dst, `,"tool_name":`...), m.ToolName)
	arguments := m.Arguments
	if arguments == nil {
		arguments = json.RawMessage("{}")
	}
	dst = appendRaw(append(dst, `,"arguments":`...), arguments)
	if m.Progress {
		dst = append(dst, `,"progress":true`...)
	}
	if m.Elicit {
		dst = append(dst, `,"elicit":true`...)
	}
	if m.Stays {
		dst = append(dst, `,"stays":true`...)
	}
	if m.TimeoutMS != 0 {
		dst = strconv.AppendInt(append(dst, `,"timeout_ms":`...), m.TimeoutMS, 10)
	}
	if m.Meta != nil {
		dst = append(append(dst, `,"meta":`...), mustMarshal(m.Meta)...)
	}
	return dst
}

func (m *MCPToolResponse) appendFields(dst []byte) []byte {
	dst = appendString(append(dst, `,"id":`...), m.ID)
	dst = appendOutcome(dst, m.Result, m.Error)
	if m.Text != "" {
		dst = appendString(append(dst, `,"text":`...), m.Text)
	}
	return dst
}

func (m *MCPRequest) appendFields(dst []byte) []byte {
	dst = appendString(append(dst, `,"id":`...), m.ID)
	dst = appendString(append(dst, `,"method":`...), m.Method)
	params := m.Params
	if params == nil {
		params = json.RawMessage("{}")
	}
	dst = appendRaw(append(dst, `,"params":`...), params)
	if m.Meta != nil {
		dst = append(append(dst, `,"meta":`...), mustMarshal(m.Meta)...)
	}
	return dst
}

func (m *MCPResult) appendFields(dst []byte) []byte {
	return appendOutcome(appendString(append(dst, `,"id":`...), m.ID), m.Result, m.Error)
}

// appendOutcome appends a result and an error, of which one is null.
func appendOutcome(dst []byte, result json.RawMessage, failure *Error) []byte {
	dst = appendRaw(append(dst, `,"result":`...), result)
	dst = append(dst, `,"error":`...)
	if failure == nil {
		return append(dst, "null"...)
	}
	return append(dst, mustMarshal(failure)...)
}

// appendRaw splices JSON unchanged, but for line breaks: they would end the line,
// so they become spaces. JSON has them between tokens only.
func appendRaw(dst []byte, raw json.RawMessage) []byte {
	if len(raw) == 0 {
		return append(dst, "null"...)
	}
	start := len(dst)
	dst = append(dst, raw...)
	for i, c := range dst[start:] {
		if c == '\n' || c == '\r' {
			dst[start+i] = ' '
		}
	}
	return dst
}

// appendString appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD, as in encoding/json.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r < ' ' || r == '\u2028' || r == '\u2029':
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
