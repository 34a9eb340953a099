package wasmtest

import (
	"encoding/binary"
	"errors"
)

// errCover says that coverage data are not what the format says.
var errCover = errors.New("malformed coverage data")

// A coverReader takes numbers and strings off the front of coverage data. After the first that is not there it gives zeros, and
// bad is set.
type coverReader struct {
	rest []byte
	bad  bool
}

func (r *coverReader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.rest, r.bad = nil, true
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *coverReader) uint32() uint32 {
	if b := r.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *coverReader) uint64() uint64 {
	if b := r.bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// uleb128 returns a number in as many bytes as it needs.
func (r *coverReader) uleb128() uint64 {
	value, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.rest, r.bad = nil, true
		return 0
	}
	r.rest = r.rest[n:]
	return value
}

// strings returns a table of strings. Each takes a byte at least, which bounds what is allocated.
func (r *coverReader) strings() []string {
	count := r.uleb128()
	if count > uint64(len(r.rest)) {
		r.rest, r.bad = nil, true
		return nil
	}
	table := make([]string, 0, count)
	for range count {
		table = append(table, string(r.bytes(r.uleb128())))
	}
	return table
}
