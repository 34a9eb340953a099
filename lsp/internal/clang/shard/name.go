// Package shard reads what clangd 14 to 19 writes of each source into its index on the disk.
package shard

import (
	"encoding/binary"
	"fmt"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
	"github.com/zeebo/xxh3"
)

// A Naming is the hash of a file's path by which a clangd names its shard.
type Naming func(path string) uint64

// Namings are those of clangd up to version 16 and since.
func Namings() []Naming { return []Naming{xxhash.Sum64String, xxh3.HashString} }

// Of returns the name of the shard of a file.
func (hash Naming) Of(path string) string {
	var sum [8]byte
	binary.LittleEndian.PutUint64(sum[:], hash(path))
	return fmt.Sprintf("%s.%X.idx", filepath.Base(path), sum)
}
