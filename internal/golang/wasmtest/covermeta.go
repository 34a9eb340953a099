package wasmtest

import (
	"math"
	"path"
)

// The files that a test binary leaves in the directory of -test.gocoverdir are described in Go's own source, in
// internal/coverage/defs.go, as of version 1 of both formats, which Go has written since 1.20.
const (
	metaMagic      = "\x00cvm"
	counterMagic   = "\x00cwm"
	formatVersion  = 1
	metaHeaderSize = 56 // of a file
	blobHeaderSize = 44 // of a package in it
)

// A coverHash says which description a file with counters belongs to.
type coverHash [16]byte

// A coverMeta is what a binary says of the functions in it.
type coverMeta struct {
	hash     coverHash
	packages [][]coverFunction
}

// A coverFunction is a function as coverage data name it.
type coverFunction struct {
	Package string `json:"package"` // import path
	File    string `json:"file"`    // base name; as //line says, where there is one
	Name    string `json:"name"`
	Line    int    `json:"line"` // in its body, 1-based
}

// decodeMeta reads a covmeta file.
func decodeMeta(data []byte) (*coverMeta, error) {
	r := &coverReader{rest: data}
	magic, version := r.bytes(4), r.uint32()
	length, count := r.uint64(), r.uint64()
	m := &coverMeta{}
	copy(m.hash[:], r.bytes(16))
	r.bytes(metaHeaderSize - 40)
	// A package takes 16 bytes in the tables of offsets and lengths.
	if r.bad || string(magic) != metaMagic || version != formatVersion || length != uint64(len(data)) || count > length/16 {
		return nil, errCover
	}
	offsets := &coverReader{rest: r.bytes(8 * count)}
	lengths := &coverReader{rest: r.bytes(8 * count)}
	room := length // packages that overlap would take memory without end
	for range count {
		blob, size := coverReader{rest: data}, lengths.uint64()
		blob.bytes(offsets.uint64())
		functions, ok := decodeBlob(blob.bytes(size))
		if blob.bad || !ok || size > room {
			return nil, errCover
		}
		room -= size
		m.packages = append(m.packages, functions)
	}
	return m, nil
}

// decodeBlob reads what a file says of a package.
func decodeBlob(blob []byte) (functions []coverFunction, ok bool) {
	r := &coverReader{rest: blob}
	r.bytes(8)
	path := r.uint32()
	r.bytes(blobHeaderSize - 16)
	count := r.uint32()
	offsets := &coverReader{rest: r.bytes(4 * uint64(count))}
	table := r.strings()
	if r.bad || uint64(path) >= uint64(len(table)) {
		return nil, false
	}
	for range count {
		f := coverReader{rest: blob}
		f.bytes(uint64(offsets.uint32()))
		function, ok := decodeFunction(&f, table)
		if !ok {
			return nil, false
		}
		function.Package = table[path]
		functions = append(functions, function)
	}
	return functions, true
}

// decodeFunction reads what a file says of a function. Of its units, which are stretches of its body, only the beginning of the
// first is of use.
func decodeFunction(r *coverReader, table []string) (f coverFunction, ok bool) {
	units, name, file := r.uleb128(), r.uleb128(), r.uleb128()
	line := r.uleb128()
	if r.bad || units == 0 || name >= uint64(len(table)) || file >= uint64(len(table)) || line > math.MaxInt32 {
		return coverFunction{}, false
	}
	return coverFunction{Name: table[name], File: path.Base(table[file]), Line: int(line)}, true
}
