package wasmtest

import "encoding/binary"

// A coverIndex is a function's place in a coverMeta.
type coverIndex struct{ pkg, function uint32 }

const (
	countersRaw  = 1 // numbers of four bytes
	countersULEB = 2
	footerSize   = 16
)

// decodeCounters gives the functions that ran, of a covcounters file that belongs to the description with that hash. A function
// may be there twice.
func decodeCounters(data []byte, hash coverHash) ([]coverIndex, error) {
	r := &coverReader{rest: data}
	magic, version := r.bytes(4), r.uint32()
	of := r.bytes(16)
	flavor := r.bytes(8) // then whether big-endian, then padding
	if len(data) < footerSize {
		return nil, errCover
	}
	footer := &coverReader{rest: data[len(data)-footerSize:]}
	end := footer.bytes(8)
	segments := footer.uint32()
	if r.bad || string(magic) != counterMagic || version != formatVersion || string(end[:4]) != counterMagic || coverHash(of) != hash || segments > uint32(len(data)) {
		return nil, errCover
	}
	numbers, err := numbersOf(flavor)
	if err != nil {
		return nil, err
	}
	var ran []coverIndex
	for range segments {
		if ran, err = decodeSegment(r, len(data), numbers, ran); err != nil {
			return nil, err
		}
	}
	return ran, nil
}

// numbersOf says how a file writes its counters.
func numbersOf(flavor []byte) (func(*coverReader) uint32, error) {
	switch {
	case flavor[0] == countersULEB:
		return func(r *coverReader) uint32 { return uint32(r.uleb128()) }, nil
	case flavor[0] == countersRaw && flavor[1] == 0:
		return (*coverReader).uint32, nil
	case flavor[0] == countersRaw:
		return func(r *coverReader) uint32 {
			if b := r.bytes(4); b != nil {
				return binary.BigEndian.Uint32(b)
			}
			return 0
		}, nil
	}
	return nil, errCover
}

// decodeSegment reads one run of the program, with the footer behind it, and appends what ran. size is that of the file, from
// whose beginning the counters are aligned.
func decodeSegment(r *coverReader, size int, number func(*coverReader) uint32, ran []coverIndex) ([]coverIndex, error) {
	functions := r.uint64()
	table, args := r.uint32(), r.uint32()
	r.bytes(uint64(table) + uint64(args))
	r.bytes(uint64(-(size - len(r.rest)) & 3))
	for range functions {
		counters := number(r)
		f := coverIndex{number(r), number(r)}
		any := false
		for range counters {
			any = number(r) != 0 || any
			if r.bad {
				return nil, errCover
			}
		}
		if r.bad {
			return nil, errCover
		}
		if any {
			ran = append(ran, f)
		}
	}
	r.bytes(footerSize)
	if r.bad {
		return nil, errCover
	}
	return ran, nil
}
