package clang

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.lsp.dev/uri"

	statedir "tidepool/internal/state"
	"tidepool/lsp/internal/text"
)

// reached returns what clangd has loaded with some files: all that their shards lead to.
func (d store) reached(from map[string]compileCommand) (map[string]bool, error) {
	hash := d.shardsOf(map[string]bool{blankName: true}).naming(d.blankSource())
	if hash == nil {
		return nil, errors.New("how it names its shards is not known")
	}
	reached := map[string]bool{}
	var todo []string
	for path := range from {
		todo = append(todo, path)
	}
	dir, err := statedir.OpenDir(d.shards())
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	for len(todo) > 0 {
		path := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if reached[path] {
			continue
		}
		reached[path] = true
		data, err := dir.File(hash.shardOf(path)).Read(maxShard)
		if err != nil {
			continue // there is none, and it leads nowhere
		}
		sources, err := shardSources(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		todo = append(todo, sources...)
	}
	return reached, nil
}

var errShard = errors.New("a shard is not of the known form")

// shardSources returns the paths of the file that a shard is of and of those that it includes. The form is that of RIFF: a chunk "stri"
// of strings that end in 0, compressed unless the size before them is 0, and a chunk "srcs" of nodes, each of a byte of flags, the
// number of a string, a hash of 8 bytes, and the strings of what it includes behind their count. It is the same in clangd 14 and 19
// (clang-tools-extra/clangd/index/Serialization.cpp).
func shardSources(data []byte) ([]string, error) {
	if len(data) < 12 || string(data[:4]) != "RIFF" || string(data[8:12]) != "CdIx" {
		return nil, errShard
	}
	var table []string
	var nodes []byte
	for rest := data[12:]; len(rest) >= 8; {
		name, long := string(rest[:4]), uint64(binary.LittleEndian.Uint32(rest[4:8]))
		if rest = rest[8:]; long > uint64(len(rest)) {
			return nil, errShard
		}
		size := int(long)
		switch chunk := rest[:size]; name {
		case "stri":
			var err error
			if table, err = shardStrings(chunk); err != nil {
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

func shardStrings(chunk []byte) ([]string, error) {
	if len(chunk) < 4 {
		return nil, errShard
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
			err = errShard
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
			return nil, errShard
		}
		for ; count > 0 && err == nil; count-- {
			name()
		}
	}
	return paths, err
}
