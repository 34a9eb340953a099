package redact

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"tidepool/internal/scrub"
	"tidepool/protocol"
)

// Bounds of what is held back of an output that goes on, in bytes.
const (
	maxHeld    = 16 << 10 // the longest secret that package scrub promises to find whole
	maxPending = 64 << 10 // beyond it what was found is taken, even if it may go on
)

// Scrub answers one part of a command's output. It implements the server's Scrubber.
func (c *Contributor) Scrub(ctx context.Context, r *protocol.ScrubText) *protocol.ScrubbedText {
	c.learn(r.Session, r.Fingerprints)
	if c.Mode() == Off {
		return &protocol.ScrubbedText{Text: r.Text, Taken: len(r.Text), Off: true}
	}
	text := string(r.Text)
	p := bounded(ctx, c, func(time.Time) part { return c.part(r, text) }, func(why string) part {
		return part{text: withheldText(why), taken: len(text), withheld: true}
	})
	if p.changed || p.withheld {
		c.counters.replaced.Add(1)
		c.readers.add(r.Session)
	}
	if p.withheld {
		c.counters.withheld.Add(1)
		c.log.WarnContext(ctx, "output of a command withheld", "session", r.Session)
	}
	return &protocol.ScrubbedText{Text: []byte(p.text), Taken: p.taken}
}

// learn adds fingerprints to those of a session.
func (c *Contributor) learn(session string, prints json.RawMessage) {
	if len(prints) == 0 || c.adopt == nil {
		return
	}
	if err := c.adopt(session, prints); err != nil {
		c.counters.unlearned.Add(1)
		c.log.Warn("fingerprints of secrets not learned", "err", err)
	}
}

// A part is what is taken of an output.
type part struct {
	text     string // without secrets
	taken    int    // bytes that text stands for
	changed  bool
	withheld bool
}

// part searches a part of an output, and takes what can be judged.
func (c *Contributor) part(r *protocol.ScrubText, text string) part {
	scrubber, err := c.of(r.Session)
	if err != nil {
		c.log.Error("no scrubber", "err", err)
		return part{text: withheldText(noScrubber), taken: len(text), withheld: true}
	}
	clean, found := c.Mode().search(scrubber, text)
	if len(found) == 1 && found[0].Rule == scrub.Withheld {
		return part{text: clean, taken: len(text), withheld: true}
	}
	taken := len(text)
	if r.More {
		taken = outside(found, complete(text, r.Pause), len(text))
	}
	clean = clean[:offset(clean, found, taken)]
	return part{text: clean, taken: taken, changed: clean != text[:taken]}
}

// complete returns how much of a text that goes on can be judged: whole lines, and no key block without its end. Without a pause the
// last 16 KB are held back, too, because a secret of several lines may go on. A line that is too long is cut.
func complete(text string, pause bool) int {
	end := len(text)
	if !pause {
		end = max(0, end-maxHeld)
	}
	end = strings.LastIndexByte(text[:end], '\n') + 1
	if at := strings.LastIndex(text[:end], "-----BEGIN "); at >= 0 && !strings.Contains(text[at:end], "-----END ") && len(text)-at <= maxHeld {
		end = strings.LastIndexByte(text[:at], '\n') + 1
	}
	if len(text)-end > 2*maxHeld {
		end = len(text) - maxHeld
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
	}
	return end
}

// outside moves an offset out of the secret that it lies in: before it, or behind it where too much would be held back.
func outside(found []scrub.Finding, at, length int) int {
	for _, f := range found {
		switch {
		case at <= f.Start || f.End <= at:
		case length-f.Start <= maxPending:
			return f.Start
		default:
			return f.End
		}
	}
	return at
}

// offset returns where the first bytes of a text end in the text without its secrets. No secret lies across that place.
func offset(clean string, found []scrub.Finding, taken int) int {
	in, out := 0, 0
	for _, f := range found {
		if f.Start >= taken {
			break
		}
		out += f.Start - in
		out += strings.IndexByte(clean[out:], ']') + 1 // the token
		in = f.End
	}
	return out + taken - in
}
