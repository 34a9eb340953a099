package redact

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tidepool/internal/fingerprint"
	"tidepool/internal/scrub"
	"tidepool/protocol"
)

// sessions returns a contributor with the real scrubber, which learns from fingerprints.
func withSessions(t testing.TB, m Mode, key fingerprint.Key) *Contributor {
	t.Helper()
	scrubber, err := scrub.New(scrub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sessions := scrubber.Sessions(key)
	return New(Options{
		Of: func(session string) (Scrubber, error) { return sessions.Of(session), nil },
		Learn: func(session string, raw json.RawMessage) error {
			var prints []fingerprint.Print
			err := json.Unmarshal(raw, &prints)
			sessions.Of(session).Learn(prints...)
			return err
		},
		Mode: m,
	})
}

func printsOf(t testing.TB, key fingerprint.Key, values ...string) json.RawMessage {
	t.Helper()
	var all []fingerprint.Print
	for _, v := range values {
		all = append(all, fingerprint.Of(key, "X", v)...)
	}
	raw, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// A flow sends an output in pieces, as the agent does.
type flow struct {
	c       *Contributor
	ctx     context.Context
	pending string
	out     strings.Builder
	longest int // bytes that were held back
}

func (f *flow) send(piece string, more, pause bool) {
	f.pending += piece
	reply := f.c.Scrub(f.ctx, &protocol.ScrubText{Session: "s", Text: []byte(f.pending), More: more, Pause: pause})
	f.out.Write(reply.Text)
	f.pending = f.pending[reply.Taken:]
	f.longest = max(f.longest, len(f.pending))
}

const privateKey = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n" +
	"QyNTUxOQAAACBKZXlnZW5lcmF0ZWRmb3J0ZXN0c29ubHlub3RyZWFsAAAAAJgAAAAAAAAA\n-----END OPENSSH PRIVATE KEY-----\n"

// However an output is cut, what comes out is what searching the whole gives, and nothing of a secret stands in it.
func TestPiecesEqualTheWhole(t *testing.T) {
	key := fingerprint.Key{3}
	values := []string{"correct-horse-battery", "tr0ub4dor&3xyz"}
	c := withSessions(t, All, key)
	c.learn("s", printsOf(t, key, values...))
	line := rapid.SampledFrom([]string{
		"building package x\n", "KEY=" + values[0] + "\n", "progress " + values[1] + " done\r", "\x1b[31m" + values[0] + "\x1b[0m", "no newline ",
		"token ghp_" + "016C7tq3nW9sZk2RbX5vLd8YfAe4HjQo1MuT" + "\n", privateKey, strings.Repeat("a long line without an end ", 40), "é\xff\n",
	})
	rapid.Check(t, func(rt *rapid.T) {
		whole := strings.Join(rapid.SliceOfN(line, 1, 60).Draw(rt, "lines"), "")
		f := &flow{c: c, ctx: t.Context()}
		for rest := whole; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(rt, "piece")
			// A pause in the middle of a line must not show it; between the lines of a secret it may.
			f.send(rest[:n], true, rapid.Bool().Draw(rt, "pause"))
			rest = rest[n:]
		}
		f.send("", false, false)
		want, err := c.of("s")
		if err != nil {
			rt.Fatal(err)
		}
		clean, _ := want.Text(whole)
		got := f.out.String()
		for _, v := range append(values, "b3BlbnNzaC1", "ghp_016C") {
			if strings.Contains(got, v) {
				rt.Fatalf("%q is shown in %q", v, got)
			}
		}
		if got != clean {
			rt.Fatalf("got  %q\nwant %q", got, clean)
		}
		if f.pending != "" || f.longest > maxPending+maxHeld {
			rt.Fatalf("%d bytes are left, at most %d were held", len(f.pending), f.longest)
		}
	})
}

// Whole lines come at once when the output pauses, and the rest of a line when it has ended.
func TestLinesComeAtAPause(t *testing.T) {
	f := &flow{c: withSessions(t, Known, fingerprint.Key{}), ctx: t.Context()}
	f.send("one\ntwo\nthr", true, true)
	if got := f.out.String(); got != "one\ntwo\n" {
		t.Errorf("at the pause: %q", got)
	}
	f.send("ee\nfour\n", true, false)
	if got := f.out.String(); got != "one\ntwo\n" {
		t.Errorf("without a pause: %q", got)
	}
	f.send("five", false, false)
	if got := f.out.String(); got != "one\ntwo\nthree\nfour\nfive" {
		t.Errorf("at the end: %q", got)
	}
}

// A line without an end does not grow without an end, and a secret in it is found wherever it is cut.
func TestEndlessLine(t *testing.T) {
	key := fingerprint.Key{9}
	c := withSessions(t, Known, key)
	c.learn("s", printsOf(t, key, "correct-horse-battery"))
	f := &flow{c: c, ctx: t.Context()}
	for range 200 {
		f.send(strings.Repeat(".", 1999)+"correct-horse-battery", true, true)
	}
	f.send("", false, false)
	if got := f.out.String(); got != strings.Repeat(strings.Repeat(".", 1999)+"[SECRET_1]", 200) || f.longest > maxPending {
		t.Errorf("%d bytes, %d held", len(got), f.longest)
	}
}

func TestScrubOffAndFailures(t *testing.T) {
	text := []byte("x " + planted)
	off := newContributor(Off).Scrub(t.Context(), &protocol.ScrubText{Text: text, More: true})
	if !off.Off || off.Taken != len(text) || string(off.Text) != string(text) {
		t.Errorf("%+v", off)
	}
	for name, s := range map[string]Scrubber{"fault": broken{}, "refusal": refusing{}} {
		c := New(Options{Of: func(string) (Scrubber, error) { return s, nil }, Mode: All})
		r := c.Scrub(t.Context(), &protocol.ScrubText{Text: text, More: true})
		if strings.Contains(string(r.Text), planted) || !strings.Contains(string(r.Text), "withheld") || r.Taken != len(text) {
			t.Errorf("%s: %+v", name, r)
		}
		if got := c.Counts(); got != (Counts{Replaced: 1, Withheld: 1}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Fingerprints that cannot be read are counted; nothing else depends on them.
func TestUnreadableFingerprints(t *testing.T) {
	c := withSessions(t, Known, fingerprint.Key{})
	c.learn("s", json.RawMessage(`{"not":"a list"}`))
	c.learn("s", json.RawMessage(`[]`))
	if got := c.Counts(); got != (Counts{Unlearned: 1}) {
		t.Errorf("%+v", got)
	}
}
