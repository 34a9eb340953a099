package process

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// scratchPrefix begins the names of all scratches.
const scratchPrefix = "tidepool-tmp-"

// A Scratch is a directory for the temporary files of programs, with one below it for each program: what a program that
// is killed leaves there is found. It is locked as long as we live, so that who comes after us knows which were left.
// Its path is short, because that of a socket below it may have 104 bytes. Nothing is made before the first program
// needs it. Safe for concurrent use.
type Scratch struct {
	parent string

	mu   sync.Mutex
	dir  string   // "": not made
	lock *os.File // of dir; nil: there are no locks here
	last int      // the number of the directory made last
}

// NewScratch returns a scratch below a directory.
func NewScratch(parent string) *Scratch { return &Scratch{parent: parent} }

// Make makes a directory for one program, which only we can read.
func (s *Scratch) Make() (dir string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := os.Stat(s.dir); err != nil { // not made yet, or somebody has cleared the parent
		s.forget()
		if s.dir, s.lock, err = lockedDir(s.parent); err != nil {
			return "", err
		}
	}
	s.last++
	dir = filepath.Join(s.dir, strconv.Itoa(s.last))
	return dir, os.Mkdir(dir, 0o700)
}

// Close removes everything.
func (s *Scratch) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir != "" {
		os.RemoveAll(s.dir) // what remains is swept by who comes after us
	}
	s.forget()
}

// forget lets go of the directory. Callers hold mu.
func (s *Scratch) forget() {
	if s.lock != nil {
		s.lock.Close()
	}
	s.dir, s.lock = "", nil
}

// Sweep removes the scratches beside this one whose owners were killed.
func (s *Scratch) Sweep() {
	entries, _ := os.ReadDir(s.parent)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), scratchPrefix) && entry.IsDir() {
			removeUnlocked(filepath.Join(s.parent, entry.Name()))
		}
	}
}
