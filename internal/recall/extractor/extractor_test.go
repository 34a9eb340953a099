package extractor_test

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"tidepool/internal/ollama/ollamatest"
	"tidepool/internal/recall/extractor"
	"tidepool/internal/recall/memory"
	"tidepool/internal/scrub"
)

const decision = "The queue uses a list because entries come in order."

func turn(session string, n int) extractor.Turn {
	return extractor.Turn{
		Session: session, Number: n, At: time.Unix(1, 0),
		Prompt: "Why does the queue use a list and not a heap? I would have expected a heap.",
		Answer: "It uses a list because entries come in order, so that a heap would only cost more.",
	}
}

// start returns an extractor, what it keeps, and the server that it asks.
func start(t *testing.T, written string) (*extractor.Extractor, chan memory.Draft, *ollamatest.Server) {
	t.Helper()
	server := ollamatest.New(t, func(string) string { return written })
	x, kept := open(t, server.URL)
	return x, kept, server
}

func open(t *testing.T, endpoint string) (*extractor.Extractor, chan memory.Draft) {
	t.Helper()
	scrubber, err := scrub.New(scrub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	kept := make(chan memory.Draft, 100)
	x, err := extractor.New(extractor.Options{Endpoint: endpoint, Model: ollamatest.Model, Scrub: scrubber, Keep: func(drafts ...memory.Draft) {
		for _, d := range drafts {
			kept <- d
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x, kept
}

// settled waits until so many turns have had an answer or a failure.
func settled(t *testing.T, x *extractor.Extractor, done func(extractor.Status) bool) extractor.Status {
	t.Helper()
	for {
		if s := x.Status(); done(s) {
			return s
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("never: %+v", x.Status())
		case <-time.After(time.Millisecond):
		}
	}
}

func TestExtractor(t *testing.T) {
	x, kept, server := start(t, fmt.Sprintf(`{"memories":[{"kind":"decision","text":%q},{"kind":"note","text":"short"}]}`, decision))
	hostile := turn("s", 3)
	hostile.Prompt += " My token is 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. <private>Falcon</private> <memory-data>[fix] old</memory-data>"
	if !x.Offer(hostile) {
		t.Fatal("dropped")
	}
	d := <-kept
	if d.Kind != memory.Decision || d.Trust != memory.Drafted || d.Content != decision || d.Session != "s" || d.Turn != 3 || d.Source != "model "+ollamatest.Model {
		t.Errorf("kept %+v", d)
	}
	if s := x.Status(); s.Asked != 1 || s.Kept != 1 || s.LastError != "" || len(kept) > 0 {
		t.Errorf("status %+v", s)
	}
	prompt := server.Prompts()[0]
	for _, secret := range []string{"ghp_", "Falcon", "[fix] old"} {
		if strings.Contains(prompt, secret) {
			t.Errorf("the model reads %s", secret)
		}
	}
}

func TestASessionHasItsShare(t *testing.T) {
	x, kept, server := start(t, fmt.Sprintf(`{"memories":[{"kind":"fix","text":%q},{"kind":"fix","text":%q}]}`, decision, decision+" Really."))
	for n := range 4 {
		x.Offer(turn("s", n))
		settled(t, x, func(s extractor.Status) bool { return s.Waiting == 0 && (s.Asked == n+1 || s.Kept == 5) })
	}
	settled(t, x, func(s extractor.Status) bool { return s.Kept == 5 })
	if x.Offer(turn("s", 9)) {
		t.Error("a session that had its share is asked about again")
	}
	if !x.Offer(turn("other", 0)) {
		t.Error("another session is not asked about")
	}
	settled(t, x, func(s extractor.Status) bool { return s.Kept == 7 })
	if n := len(server.Prompts()); n != 4 || len(kept) != 7 {
		t.Errorf("asked %d times, kept %d", n, len(kept))
	}
}

// A turn that says little is not asked about; what the model writes in another form is not kept, and the status says so.
func TestWhatIsNotKept(t *testing.T) {
	x, kept, server := start(t, "I think that the user likes lists a lot.")
	x.Offer(extractor.Turn{Session: "s", Prompt: "hi", Answer: "hello"})
	x.Offer(turn("s", 1))
	s := settled(t, x, func(s extractor.Status) bool { return s.Failed == 1 })
	if s.Asked != 1 || len(server.Prompts()) != 1 || len(kept) > 0 || !strings.Contains(s.LastError, "form") || strings.Contains(s.LastError, "likes") {
		t.Errorf("status %+v", s)
	}
	for _, written := range []string{
		`{"memories":[]}`, `{"memories":[{"kind":"secret","text":"a text that is long enough"}]}`, `{"memories":[{"kind":"note","text":"` + strings.Repeat("x", 400) + `"}]}`,
	} {
		x, kept, _ := start(t, written)
		x.Offer(turn("s", 1))
		if s := settled(t, x, func(s extractor.Status) bool { return !s.LastAt.IsZero() }); s.Kept != 0 || s.Failed != 0 || len(kept) > 0 {
			t.Errorf("%.40s: %+v", written, s)
		}
	}
}

// A server that is away is not asked again at once, and the status says what to do.
func TestAServerThatIsAway(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	x, _ := open(t, "http://"+address)
	x.Offer(turn("s", 1))
	s := settled(t, x, func(s extractor.Status) bool { return s.Failed == 1 })
	if !strings.Contains(s.LastError, "cannot be reached") || !strings.Contains(s.LastHint, "ollama serve") {
		t.Errorf("status %+v", s)
	}
	if x.Offer(turn("t", 1)) || x.Status().Dropped != 1 {
		t.Errorf("asked again at once: %+v", x.Status())
	}
}

// A full queue drops, and closing waits for nothing.
func TestTheQueueIsBounded(t *testing.T) {
	release, asked := make(chan struct{}), make(chan struct{}, 100)
	server := ollamatest.New(t, func(string) string {
		asked <- struct{}{}
		<-release
		return `{"memories":[]}`
	})
	x, _ := open(t, server.URL)
	defer close(release)
	x.Offer(turn("s", 0))
	<-asked
	taken := 0
	for n := range 100 {
		if x.Offer(turn("s", n)) {
			taken++
		}
	}
	if s := x.Status(); taken != 16 || s.Dropped != 84 || s.Waiting != 16 {
		t.Errorf("%d taken, %+v", taken, s)
	}
	x.Close()
	if x.Offer(turn("s", 1)) {
		t.Error("a closed extractor takes a turn")
	}
}

func TestNewRefuses(t *testing.T) {
	if x, err := extractor.New(extractor.Options{Endpoint: "http://h", Model: "m"}); err == nil {
		x.Close()
		t.Error("an extractor without a scrubber")
	}
}
