package wasmtest

import (
	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sys/unix"
)

// pages are a guest's memory, all that it may have, of which the system gives what is touched. A slice that grows would be copied,
// and be there twice until the garbage collector comes: measured, a gigabyte for a test that takes a third of that.
type pages struct{ all []byte }

// newPages reserves memory for a guest.
func newPages(_, most uint64) experimental.LinearMemory {
	all, err := unix.Mmap(-1, 0, int(most), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		return &pages{}
	}
	return &pages{all}
}

// Reallocate gives the first bytes of it, or nil if there are not so many.
func (p *pages) Reallocate(size uint64) []byte {
	if size > uint64(len(p.all)) {
		return nil
	}
	return p.all[:size]
}

// Free gives it back.
func (p *pages) Free() {
	if p.all != nil {
		unix.Munmap(p.all)
		p.all = nil
	}
}
