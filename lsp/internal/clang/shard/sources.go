package shard

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"strings"

	"go.lsp.dev/uri"

	"tidepool/lsp/internal/text"
)

var errForm = errors.New("a shard is not of the known form")

// Sources returns the paths of the file that a shard is of and of those that it includes. The form is that of RIFF: a chunk "stri"
// of strings that end in 0, compressed unless the size before them is 0, and a chunk "srcs" of nodes, each of a byte of flags, the
// number of a string, a hash of 8 bytes, and the strings of what it includes behind their count. It is the same in clangd 14 and 19
// (clang-tools-extra/clangd/index/Serialization.cpp).
func Sources(data []byte) ([]string, error) {
	if len(data) < 12 || string(data[:4]) != "RIFF" || string(data[8:12]) != "CdIx" {
		return nil, errForm
	}
	var table []string
	var nodes []byte
	for rest := data[12:]; len(rest) >= 8; {
		name, long := string(rest[:4]), uint64(binary.LittleEndian.Uint32(rest[4:8]))
		if rest = rest[8:]; long > uint64(len(rest)) {
			return nil, errForm
		}
		size := int(long)
		switch chunk := rest[:size]; name {
		case "stri":
			var err error
			if table, err = stringsOf(chunk); err != nil {
				return nil, err
			}
		case "srcs":
			nodes = chunk
		}
		rest = rest[min(size+size%2, len(rest)):]
	}
	return nodesOf(nodes, table)
}

// maxStrings bounds the strings of a shard, in bytes.
const maxStrings = 256 << 20

func stringsOf(chunk []byte) ([]string, error) {
	if len(chunk) < 4 {
		return nil, errForm
	}
	size, packed := binary.LittleEndian.Uint32(chunk), chunk[4:]
	if size > 0 {
		unpacked, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, err
		}
		if packed, err = io.ReadAll(io.LimitReader(unpacked, maxStrings)); err != nil {
			return nil, err
		}
	}
	return strings.Split(string(packed), "\x00"), nil
}

// nodesOf returns the paths of all nodes, and of what they include.
func nodesOf(nodes []byte, table []string) (paths []string, err error) {
	const hash = 8
	r := bytes.NewReader(nodes)
	name := func() {
		n, failed := binary.ReadUvarint(r)
		if failed != nil || n >= uint64(len(table)) {
			err = errForm
			return
		}
		if path := text.Path(uri.URI(table[n])); path != "" {
			paths = append(paths, path)
		}
	}
	for r.Len() > 0 && err == nil {
		_, _ = r.ReadByte() // flags
		name()
		_, _ = r.Seek(hash, io.SeekCurrent)
		count, failed := binary.ReadUvarint(r)
		if failed != nil {
			return nil, errForm
		}
		for ; count > 0 && err == nil; count-- {
			name()
		}
	}
	return paths, err
}
