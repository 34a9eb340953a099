package recollect

import (
	"container/list"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Limits of what is known of the texts that sessions have read already.
const (
	maxSessions = 64       // sessions, those that were heard of last
	maxInFile   = 64 << 10 // bytes of a file
	maxPassages = 400      // of a session
	maxPassage  = 500      // bytes
	minPassage  = 12       // bytes: what is shorter duplicates nothing
)

// A loaded knows which passages the model of a session has read without being told: those of the instructions that Claude Code has
// loaded, and the preferences of the session's start. It is kept in memory only. Safe for concurrent use.
type loaded struct {
	mu       sync.Mutex
	sessions map[string]*list.Element
	used     list.List // of *passages, the latest first
}

// passages are those of one session.
type passages struct {
	session string
	all     []string
}

// of returns the passages of a session. Callers must not change them.
func (l *loaded) of(session string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, known := l.sessions[session]; known {
		return e.Value.(*passages).all
	}
	return nil
}

// add adds texts of a session, each once. The ones beyond maxPassages are not kept: a memory that repeats them may be told.
func (l *loaded) add(session string, texts ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, known := l.sessions[session]
	if !known {
		if l.sessions == nil {
			l.sessions = make(map[string]*list.Element)
		}
		e = l.used.PushFront(&passages{session: session})
		l.sessions[session] = e
		if l.used.Len() > maxSessions {
			delete(l.sessions, l.used.Remove(l.used.Back()).(*passages).session)
		}
	}
	l.used.MoveToFront(e)
	p := e.Value.(*passages)
	all := append([]string{}, p.all...) // of may have handed the old ones out
	for _, text := range texts {
		if len(all) < maxPassages {
			all = append(all, text)
		}
	}
	p.all = all
}

// addOnce is add for one text, and reports whether it was not there before.
func (l *loaded) addOnce(session, text string) bool {
	if slices.Contains(l.of(session), text) {
		return false
	}
	l.add(session, text)
	return true
}

// end forgets a session.
func (l *loaded) end(session string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, known := l.sessions[session]; known {
		l.used.Remove(e)
		delete(l.sessions, session)
	}
}

// load adds the lines of a file that Claude Code has loaded. A file that this user does not own, or that is no regular one, has none.
func (l *loaded) load(session, path string) {
	if text, err := readOwn(path); err == nil {
		l.add(session, passagesOf(text)...)
	}
}

// passagesOf returns the lines of a text that can duplicate a memory.
func passagesOf(text string) (all []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "-*#> "))
		if len(line) >= minPassage && len(line) <= maxPassage {
			all = append(all, line)
		}
	}
	return all
}

// readOwn returns the beginning of a regular file of this user, and follows no link at its end.
func readOwn(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var stat unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &stat); err != nil {
		return "", err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFREG || int(stat.Uid) != os.Geteuid() {
		return "", os.ErrPermission
	}
	text, err := io.ReadAll(io.LimitReader(f, maxInFile))
	return string(text), err
}
