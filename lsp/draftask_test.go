package lsp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// TestAskEach asks about some files, about too many, and until one cannot be answered.
func TestAskEach(t *testing.T) {
	language := toy()
	language.Drafting = &Drafting{}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "toy.mod"), "")
	put(t, filepath.Join(dir, "main.toy"), "def Alpha\n")
	p := open(t, dir, language)
	view(t, p)
	s := current(p)

	for i := range 20 {
		put(t, filepath.Join(dir, fmt.Sprintf("f%02d.toy", i)), "")
	}
	p.main.sync()
	var mu sync.Mutex
	var asked []string
	found, err := s.askEach(t.Context(), func(_ context.Context, path string) (all faults, err error) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, path)
		all.add(Problem{Path: path, Message: "bad"}, 10)
		return all, nil
	})
	slices.Sort(asked)
	if err != nil || found.count() != 21 || !slices.Equal(asked, s.host.Sources()) {
		t.Errorf("%d errors, %v; asked about %q", found.count(), err, asked)
	}

	failure := errors.New("no answer")
	times := 0
	if _, err := s.askEach(t.Context(), func(context.Context, string) (faults, error) {
		mu.Lock()
		defer mu.Unlock()
		times++
		return faults{}, failure
	}); !errors.Is(err, failure) || times > 2*askedAtOnce {
		t.Errorf("asked %d times: %v", times, err)
	}

	for i := range askedInAll {
		put(t, filepath.Join(dir, fmt.Sprintf("g%04d.toy", i)), "")
	}
	p.main.sync()
	var refused *DraftError
	if _, err := s.askEach(t.Context(), nil); !errors.As(err, &refused) || hint(err) == "" {
		t.Errorf("too many: %v", err)
	}
}
