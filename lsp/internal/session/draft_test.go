package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
)

// A fakeHost has source files, all of which the server covers.
type fakeHost struct {
	Host
	sources []string
}

func (h fakeHost) Sources() []string { return h.sources }

func (h fakeHost) Covers(string) bool { return true }

// TestAskEach asks about some files, about too many, and until one cannot be answered.
func TestAskEach(t *testing.T) {
	sources := func(n int) (paths []string) {
		for i := range n {
			paths = append(paths, fmt.Sprintf("/f%04d.toy", i))
		}
		return paths
	}
	language := reporting()
	s := &Session{Launch: Launch{Language: &language, Host: fakeHost{sources: sources(21)}}}
	var mu sync.Mutex
	var asked []string
	found, err := s.AskEach(t.Context(), func(_ context.Context, path string) (all FileErrors, err error) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, path)
		all.Add(Problem{Path: path, Message: "bad"}, 10)
		return all, nil
	})
	slices.Sort(asked)
	if err != nil || found.count() != 21 || !slices.Equal(asked, sources(21)) {
		t.Errorf("%d errors, %v; asked about %q", found.count(), err, asked)
	}

	failure := errors.New("no answer")
	times := 0
	if _, err := s.AskEach(t.Context(), func(context.Context, string) (FileErrors, error) {
		mu.Lock()
		defer mu.Unlock()
		times++
		return FileErrors{}, failure
	}); !errors.Is(err, failure) || times > 2*askedAtOnce {
		t.Errorf("asked %d times: %v", times, err)
	}

	s.Host = fakeHost{sources: sources(askedInAll + 1)}
	var refused *DraftError
	if _, err := s.AskEach(t.Context(), nil); !errors.As(err, &refused) || refused.Hint() == "" {
		t.Errorf("too many: %v", err)
	}
}
