package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"

	"tidepool/internal/transcript"
)

// A Body is the text of a turn.
type Body struct {
	User   string
	Answer string
	Tools  []transcript.Tool
	Cut    int // bytes that were left out of it
}

// The first byte of an encoded body says how the rest is written.
const (
	plain  = 0
	packed = 1 // by Zstandard
)

const (
	minPacked = 200      // bytes: shorter ones hardly shrink
	maxBody   = 64 << 20 // bytes of a body that is read
	window    = 64 << 10 // bytes: the encoder keeps a few times as much
)

// covers reports whether a body says all that another one does. Copies of a turn end where the session was forked.
func (b *Body) covers(o *Body) bool {
	if b.User != o.User || len(b.Answer) < len(o.Answer) || b.Answer[:len(o.Answer)] != o.Answer || len(b.Tools) < len(o.Tools) {
		return false
	}
	return slices.Equal(b.Tools[:len(o.Tools)], o.Tools)
}

// equals reports whether two bodies are the same.
func (b *Body) equals(o *Body) bool {
	return b.covers(o) && len(b.Answer) == len(o.Answer) && len(b.Tools) == len(o.Tools) && b.Cut == o.Cut
}

func (b *Body) size() int { return len(b.User) + len(b.Answer) + len(b.Tools) }

// A codec writes and reads bodies. Zstandard's fastest level takes 12 µs for a turn of 850 bytes and leaves 0.59 of it; DEFLATE's 35 µs
// and 0.56, S2 3 µs and 0.74. encode is used by one goroutine at a time, decode by any number.
type codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	text    []byte
	packed  []byte
}

// newCodec returns a codec, which takes some 100 KB before its first use and has no goroutine.
func newCodec() (*codec, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window),
		zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(maxDecoders), zstd.WithDecoderMaxMemory(maxBody), zstd.WithDecoderLowmem(true))
	return &codec{encoder: encoder, decoder: decoder}, err
}

// maxDecoders is how many bodies are read at once; more wait.
const maxDecoders = 4

// encode returns a body in the form of the column. It is the codec's memory, valid until the next call.
func (c *codec) encode(b *Body) ([]byte, error) {
	text := append(c.text[:0], plain)
	text = appendText(text, b.User)
	text = appendText(text, b.Answer)
	text = binary.AppendUvarint(text, uint64(b.Cut))
	if len(b.Tools) > 0 {
		tools, err := json.Marshal(shortTools(b.Tools))
		if err != nil {
			return nil, err
		}
		text = append(text, tools...)
	}
	if c.text = text; cap(text) > maxKept {
		c.text = nil
	}
	if len(text) < minPacked {
		return text, nil
	}
	to := c.encoder.EncodeAll(text[1:], append(c.packed[:0], packed))
	if c.packed = to; cap(to) > maxKept {
		c.packed = nil
	}
	if len(to) >= len(text) {
		return text, nil
	}
	return to, nil
}

// maxKept is how many bytes the codec keeps for the next body.
const maxKept = 1 << 20

func appendText(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

var errBody = errors.New("a turn of the store is damaged")

// decode reads what encode wrote.
func (c *codec) decode(data []byte) (b Body, err error) {
	if len(data) == 0 || data[0] > packed {
		return b, errBody
	}
	text := data[1:]
	if data[0] == packed {
		if text, err = c.decoder.DecodeAll(text, nil); err != nil {
			return b, fmt.Errorf("%w: %w", errBody, err)
		}
	}
	var ok bool
	if b.User, text, ok = cutText(text); !ok {
		return Body{}, errBody
	}
	if b.Answer, text, ok = cutText(text); !ok {
		return Body{}, errBody
	}
	cut, n := binary.Uvarint(text)
	if n <= 0 {
		return Body{}, errBody
	}
	b.Cut, text = int(cut), text[n:]
	if len(text) == 0 {
		return b, nil
	}
	var tools []shortTool
	if err := json.Unmarshal(text, &tools); err != nil {
		return Body{}, errBody
	}
	b.Tools = longTools(tools)
	return b, nil
}

func cutText(data []byte) (text string, rest []byte, ok bool) {
	size, n := binary.Uvarint(data)
	if n <= 0 || size > uint64(len(data)-n) {
		return "", nil, false
	}
	return string(data[n:][:size]), data[n+int(size):], true
}

// A shortTool is a transcript.Tool under names of one letter: there are some ten in a turn.
type shortTool struct {
	Name        string `json:"n"`
	File        string `json:"f,omitempty"`
	Command     string `json:"c,omitempty"`
	Pattern     string `json:"p,omitempty"`
	Type        string `json:"t,omitempty"`
	Description string `json:"d,omitempty"`
	Chars       int    `json:"w,omitempty"`
	Error       string `json:"e,omitempty"`
}

func shortTools(tools []transcript.Tool) []shortTool {
	short := make([]shortTool, len(tools))
	for i, t := range tools {
		short[i] = shortTool(t)
	}
	return short
}

func longTools(short []shortTool) []transcript.Tool {
	tools := make([]transcript.Tool, len(short))
	for i, t := range short {
		tools[i] = transcript.Tool(t)
	}
	return tools
}
