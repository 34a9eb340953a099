package wasmtest

import (
	"errors"
	"slices"
	"strings"
)

// Names of files with coverage data begin so.
const (
	metaPrefix    = "covmeta."
	counterPrefix = "covcounters."
)

// A coverage is what is known of a binary's functions: nothing before its first test has ended.
type coverage struct {
	meta *coverMeta
	file map[string][]byte // that meta was read from: a test that finds it does not write it again
	none bool              // no function of the binary is watched
}

// given returns what the next test is to find in the directory for coverage.
func (c *coverage) given() map[string][]byte { return c.file }

// read gives the functions that a run has counted. Known says that these are all: a run that was ended from within counts none.
// An error says that coverage data are not as they are expected to be.
func (c *coverage) read(r run) (ran []coverIndex, known bool, err error) {
	if c.meta == nil && !c.none {
		if err := c.learn(r); err != nil {
			return nil, false, err
		}
	}
	if c.meta == nil {
		return nil, c.none, nil
	}
	for name, file := range r.cover.root.children {
		if !strings.HasPrefix(name, counterPrefix) {
			continue
		}
		counted, err := decodeCounters(file.data, c.meta.hash)
		if err != nil || slices.ContainsFunc(counted, c.meta.lacks) {
			return nil, false, errCover
		}
		ran, known = append(ran, counted...), true
	}
	return ran, known, nil
}

// learn takes what the first test says of the binary's functions.
func (c *coverage) learn(r run) (err error) {
	for name, file := range r.cover.root.children {
		if strings.HasPrefix(name, metaPrefix) {
			c.file = map[string][]byte{name: file.data}
			c.meta, err = decodeMeta(file.data)
			return err
		}
	}
	c.none = r.out.bare
	if r.err == nil && !c.none {
		return errors.New("a test has left no coverage data")
	}
	return nil
}

// lacks reports whether there is no such function.
func (m *coverMeta) lacks(at coverIndex) bool {
	return uint64(at.pkg) >= uint64(len(m.packages)) || uint64(at.function) >= uint64(len(m.packages[at.pkg]))
}
