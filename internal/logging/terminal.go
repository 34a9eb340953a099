package logging

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/charmbracelet/log"
	"github.com/muesli/termenv"
)

// A terminal handler prepares records for charm's handler, which neither knows groups nor escapes messages. It turns groups into
// dotted keys, and escapes whatever could move the cursor, change colours or forge a line.
type terminal struct {
	next   slog.Handler
	prefix string // of open groups, with the final dot
	attrs  []slog.Attr
}

// newTerminal hides the terminal from charm's logger, which would query its colours and wait ten seconds for a terminal that does
// not answer.
func newTerminal(w io.Writer, level slog.Level) slog.Handler {
	next := log.NewWithOptions(struct{ io.Writer }{w}, log.Options{
		Level:           log.Level(level),
		ReportTimestamp: true,
		TimeFormat:      time.TimeOnly,
	})
	next.SetColorProfile(termenv.NewOutput(w).EnvColorProfile())
	return &terminal{next: next}
}

func (t *terminal) Enabled(ctx context.Context, level slog.Level) bool {
	return t.next.Enabled(ctx, level)
}

func (t *terminal) Handle(ctx context.Context, r slog.Record) error {
	plain := slog.NewRecord(r.Time, r.Level, Escape(r.Message), r.PC)
	plain.AddAttrs(t.attrs...)
	r.Attrs(func(a slog.Attr) bool {
		plain.AddAttrs(flatten(nil, t.prefix, a)...)
		return true
	})
	return t.next.Handle(ctx, plain)
}

func (t *terminal) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *t
	with.attrs = t.attrs[:len(t.attrs):len(t.attrs)]
	for _, a := range attrs {
		with.attrs = flatten(with.attrs, t.prefix, a)
	}
	return &with
}

func (t *terminal) WithGroup(name string) slog.Handler {
	if name == "" {
		return t
	}
	with := *t
	with.prefix = t.prefix + name + "."
	return &with
}

// flatten appends a to attrs, the members of a group one by one.
func flatten(attrs []slog.Attr, prefix string, a slog.Attr) []slog.Attr {
	v := a.Value.Resolve()
	if v.Kind() != slog.KindGroup {
		if a.Key == "" && v.Any() == nil {
			return attrs
		}
		return append(attrs, slog.Any(Escape(prefix+a.Key), printable(v)))
	}
	if a.Key != "" {
		prefix += a.Key + "."
	}
	for _, member := range v.Group() {
		attrs = flatten(attrs, prefix, member)
	}
	return attrs
}

// printable turns whatever may carry foreign text into escaped text, and durations into readable ones.
func printable(v slog.Value) slog.Value {
	switch v.Kind() {
	case slog.KindString:
		return slog.StringValue(Escape(v.String()))
	case slog.KindDuration:
		return slog.StringValue(Duration(v.Duration()))
	case slog.KindAny:
		return slog.StringValue(Escape(fmt.Sprintf("%+v", v.Any())))
	}
	return v
}

// Escape escapes the characters of s that are not printable: "\x1b[2J" becomes `\x1b[2J`. Text from a project, a model or a
// language server must pass through it before it is printed on a terminal.
func Escape(s string) string {
	if !strings.ContainsFunc(s, unprintable) && strings.ToValidUTF8(s, "") == s {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unprintable(r) {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }
