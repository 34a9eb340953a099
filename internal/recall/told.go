package recall

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

const (
	maxConversations = 256       // that are known in memory; the database knows all
	maxLoaded        = 256 << 10 // bytes of loaded texts that are compared
)

// The tellings say which memories conversations were told. Those of the last 256 are in memory, others are read again.
type tellings[K comparable] struct {
	read  func(ctx context.Context, conversation string) ([]K, error)
	mu    sync.Mutex
	known map[string]map[K]bool
	order []string // the last used is the last
}

func newTellings[K comparable](read func(context.Context, string) ([]K, error)) *tellings[K] {
	return &tellings[K]{read: read, known: map[string]map[K]bool{}}
}

// of returns what a conversation was told. It is the caller's.
func (t *tellings[K]) of(ctx context.Context, conversation string) (map[K]bool, error) {
	if told := t.copy(conversation); told != nil {
		return told, nil
	}
	numbers, err := t.read(ctx, conversation)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	told := t.touch(conversation)
	for _, n := range numbers {
		told[n] = true
	}
	t.mu.Unlock()
	return t.copy(conversation), nil
}

// copy returns what is known of a conversation; nil: nothing was read yet.
func (t *tellings[K]) copy(conversation string) map[K]bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known[conversation] == nil {
		return nil
	}
	return maps.Clone(t.touch(conversation))
}

// claim records that a conversation is told a memory, and reports whether it was not told before.
func (t *tellings[K]) claim(conversation string, n K) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	told := t.touch(conversation)
	if told[n] {
		return false
	}
	told[n] = true
	return true
}

// touch returns a conversation's memories, and forgets the conversation that was used longest ago if there are too many. mu is held.
func (t *tellings[K]) touch(conversation string) map[K]bool {
	if i := slices.Index(t.order, conversation); i >= 0 {
		t.order = slices.Delete(t.order, i, i+1)
	}
	t.order = append(t.order, conversation)
	if len(t.order) > maxConversations {
		delete(t.known, t.order[0])
		t.order = slices.Delete(t.order, 0, 1)
	}
	if t.known[conversation] == nil {
		t.known[conversation] = map[K]bool{}
	}
	return t.known[conversation]
}

// loadedTexts are what the model has already. Their words are made at the first question.
type loadedTexts struct {
	texts    []string
	passages [][]string // the sorted words of each line and each paragraph
	ready    bool
}

// say reports whether a line or a paragraph says nearly the same as a memory.
func (l *loadedTexts) say(m *memory.Memory) bool {
	if !l.ready {
		l.read()
	}
	gist, whole := sortedWords(m.Gist), wordsOf(m)
	return slices.ContainsFunc(l.passages, func(p []string) bool { return alike(p, gist) || alike(p, whole) })
}

func (l *loadedTexts) read() {
	l.ready = true
	left := maxLoaded
	for _, text := range l.texts {
		text = wording.ClipBytes(text, left)
		left -= len(text)
		for paragraph := range strings.SplitSeq(text, "\n\n") {
			l.passages = append(l.passages, sortedWords(paragraph))
			if strings.Contains(paragraph, "\n") {
				for line := range strings.Lines(paragraph) {
					l.passages = append(l.passages, sortedWords(line))
				}
			}
		}
	}
}
