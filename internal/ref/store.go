package ref

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"tidepool/internal/state"
)

// overhead is what a file counts beside its text, in bytes: about what it takes on the disk. It bounds the number of files.
const overhead = 4 << 10

// maxReads is how many texts are in memory at the same time to be cut.
const maxReads = 4

// Options configure Open.
type Options struct {
	MaxBytes int64            // of all texts; 0: 64 MB
	TTL      time.Duration    // how long a text is kept; 0: 24 h
	Now      func() time.Time // nil: time.Now
}

// A Store keeps texts below one directory. It is safe for concurrent use; one process has at most one Store of a directory.
type Store struct {
	dir     *state.Dir
	options Options
	reads   chan struct{} // holds an element for each text in memory

	mu    sync.Mutex // guards what is below, and changes of the directory
	kept  map[string]*kept
	bytes int64 // of all that is kept, with overhead
}

// A kept text is a file.
type kept struct {
	home string // name of its session's directory
	size int64  // bytes, with overhead
	made time.Time
	used time.Time // kept or read last; after a restart, when it was made
}

// Open returns the Store of a directory, which need not exist. It reads the names of what is there, and removes what has expired. The
// caller closes dir after the last use of the Store.
func Open(dir *state.Dir, o Options) (*Store, error) {
	if o.MaxBytes == 0 {
		o.MaxBytes = 64 << 20
	}
	if o.TTL == 0 {
		o.TTL = 24 * time.Hour
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Store{dir: dir, options: o, reads: make(chan struct{}, maxReads), kept: map[string]*kept{}}
	homes, err := dir.List()
	if err != nil {
		return nil, fmt.Errorf("reading the references: %w", err)
	}
	for _, home := range homes {
		if err := s.load(home.Name()); err != nil {
			return nil, fmt.Errorf("reading the references: %w", err)
		}
	}
	return s, s.makeRoom(0)
}

// load notes what a session's directory holds. What is no text of a Store stays as it is.
func (s *Store) load(home string) error {
	files, err := s.dir.Sub(home).List()
	if err != nil {
		return err
	}
	for _, f := range files {
		if isID(f.Name()) && f.Mode().IsRegular() {
			s.add(f.Name(), &kept{home, f.Size() + overhead, f.ModTime(), f.ModTime()})
		}
	}
	return nil
}

func (s *Store) add(id string, k *kept) {
	s.kept[id] = k
	s.bytes += k.size
}

// Put keeps a text, which must be free of secrets, for a session and returns its reference. It removes others that were not read for
// the longest time if there is no room. The error is a *TooLargeError if there never is.
func (s *Store) Put(session string, text []byte) (id string, err error) {
	size := int64(len(text)) + overhead
	if size > s.options.MaxBytes {
		return "", &TooLargeError{int64(len(text)), s.options.MaxBytes}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.makeRoom(size); err != nil {
		return "", err
	}
	id, home := newID(), homeOf(session)
	if err := s.dir.Sub(home).File(id).Replace(text); err != nil {
		return "", fmt.Errorf("keeping the whole text: %w", err)
	}
	now := s.options.Now()
	s.add(id, &kept{home, size, now, now})
	return id, nil
}

// Slice returns a part of a session's text. The error is a *NotFoundError if the session has none under that reference, and a
// *RequestError if the request cannot be met.
func (s *Store) Slice(session, id string, r Request) (Slice, error) {
	if err := s.use(session, id); err != nil {
		return Slice{}, err
	}
	s.reads <- struct{}{}
	defer func() { <-s.reads }()
	text, err := s.dir.Sub(homeOf(session)).File(id).Read(s.options.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) { // it went meanwhile
		return Slice{}, &NotFoundError{id}
	}
	if err != nil {
		return Slice{}, fmt.Errorf("reading the whole text: %w", err)
	}
	return Cut(string(text), r)
}

// An Entry describes a text that is kept.
type Entry struct {
	ID    string
	Bytes int64 // of the text
	Made  time.Time
}

// List returns what is kept for a session, the latest first.
func (s *Store) List(session string) []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	home, now := homeOf(session), s.options.Now()
	var entries []Entry
	for id, k := range s.kept {
		if k.home == home && now.Sub(k.made) < s.options.TTL {
			entries = append(entries, Entry{id, k.size - overhead, k.made})
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Or(b.Made.Compare(a.Made), strings.Compare(a.ID, b.ID)) })
	return entries
}

// use notes that a session reads a text.
func (s *Store) use(session, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.kept[id]
	now := s.options.Now()
	if k == nil || k.home != homeOf(session) || now.Sub(k.made) >= s.options.TTL {
		return &NotFoundError{id}
	}
	k.used = now
	return nil
}

// End removes all texts of a session.
func (s *Store) End(session string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	home := homeOf(session)
	for id, k := range s.kept {
		if k.home == home {
			s.forget(id)
		}
	}
	return s.dir.Sub(home).Clear()
}

func (s *Store) forget(id string) {
	s.bytes -= s.kept[id].size
	delete(s.kept, id)
}

// makeRoom removes what has expired, and then what was not used for the longest time, until size bytes more fit. Callers hold mu.
func (s *Store) makeRoom(size int64) error {
	now := s.options.Now()
	for id, k := range s.kept {
		if now.Sub(k.made) >= s.options.TTL {
			if err := s.remove(id); err != nil {
				return err
			}
		}
	}
	for s.bytes+size > s.options.MaxBytes && len(s.kept) > 0 {
		if err := s.remove(s.oldest()); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) oldest() (id string) {
	for other, k := range s.kept {
		if id == "" || k.used.Before(s.kept[id].used) {
			id = other
		}
	}
	return id
}

// remove removes a text, and its session's directory if that is empty then.
func (s *Store) remove(id string) error {
	home := s.dir.Sub(s.kept[id].home)
	if err := home.File(id).Remove(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing a text that was kept: %w", err)
	}
	s.forget(id)
	_ = home.RemoveEmpty() // it may hold others
	return nil
}

const prefix, idLength = "ref_", 16

// newID returns a reference that nobody can guess.
func newID() string {
	var random [idLength * 5 / 8]byte
	_, _ = rand.Read(random[:]) // never fails
	return prefix + strings.ToLower(base32.StdEncoding.EncodeToString(random[:]))
}

// isID reports whether a text has the form of a reference. No other one is ever the name of a file.
func isID(text string) bool {
	rest, is := strings.CutPrefix(text, prefix)
	return is && len(rest) == idLength && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// homeOf returns the name of a session's directory: ids come from clients and may be no names.
func homeOf(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:16])
}
