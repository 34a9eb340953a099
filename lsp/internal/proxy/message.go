package proxy

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.lsp.dev/jsonrpc2"
)

// ErrFrame says that the bytes of a client are no messages, so that nothing behind them can be understood either.
var ErrFrame = errors.New("the stream does not follow the base protocol")

// headerLimit is how many lines a header may have; each is at most 4 KiB.
const headerLimit = 16

// readFrame returns the next message. The error is io.EOF at the end, ErrFrame for what is no message, or the stream's.
func readFrame(in *bufio.Reader) ([]byte, error) {
	size, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	if size <= 0 || size > frameLimit {
		return nil, fmt.Errorf("%w: a message has 1 to %d bytes, not %d", ErrFrame, frameLimit, size)
	}
	var body bytes.Buffer // grows with what comes, not with what is announced
	if _, err := io.CopyN(&body, in, int64(size)); err != nil {
		return nil, err
	}
	return body.Bytes(), nil
}

// readHeader reads up to the empty line.
func readHeader(in *bufio.Reader) (size int, err error) {
	for range headerLimit {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return 0, fmt.Errorf("%w: a header line is too long", ErrFrame)
		}
		if err != nil {
			return 0, err
		}
		name, value, ok := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":")
		switch {
		case name == "" && !ok:
			return size, nil
		case !ok:
			return 0, fmt.Errorf("%w: %.40q is no header: begin each message with Content-Length", ErrFrame, name)
		case strings.EqualFold(name, "Content-Length"):
			if size, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return 0, fmt.Errorf("%w: Content-Length: %.40q is no number", ErrFrame, value)
			}
		}
	}
	return 0, fmt.Errorf("%w: a header has at most %d lines", ErrFrame, headerLimit)
}

// appendResponse appends a response whose parts stay as they are.
func appendResponse(dst, id []byte, a reply) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, id...)
	if a.failure != nil {
		dst = append(append(dst, `,"error":`...), a.failure...)
	} else {
		dst = append(append(dst, `,"result":`...), a.result...)
	}
	return append(dst, '}')
}

// failure returns an answer that is an error.
func failure(err *jsonrpc2.Error) reply {
	encoded, _ := json.Marshal(map[string]any{"code": err.Code, "message": err.Message}) // cannot fail
	return reply{failure: encoded}
}

// rewrite copies a JSON object. with returns what a member shall be in its place, nil if it shall not be there; all
// that it returns unchanged stays byte for byte.
func rewrite(object []byte, with func(key string, value []byte) []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, fmt.Errorf("expected an object: %w", errors.Join(err, jsonrpc2.ErrInvalidParams))
	}
	out := []byte{'{'}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		changed := with(key.(string), value)
		if changed == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		name, _ := json.Marshal(key) // a string cannot fail
		out = append(append(append(out, name...), ':'), changed...)
	}
	return append(out, '}'), nil
}

// member returns a member of an object as it stands there, nil if there is none.
func member(object []byte, name string) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return nil
	}
	return members[name]
}

// versionOnWire returns the number of a version, nil for none.
func versionOnWire(version *int32) []byte {
	if version == nil {
		return nil
	}
	return strconv.AppendInt(nil, int64(*version), 10)
}
