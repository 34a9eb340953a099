package logging

import (
	"log/slog"
	"time"
)

// Duration writes d for a person: three digits that count, and whole seconds from a minute on.
func Duration(d time.Duration) string {
	if d.Abs() >= time.Minute {
		return d.Round(time.Second).String()
	}
	unit := time.Nanosecond
	for d.Abs() >= 1000*unit {
		unit *= 10
	}
	return d.Round(unit).String()
}

// readable returns a slog.HandlerOptions.ReplaceAttr: slog's own JSON has durations as numbers of nanoseconds.
func readable(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.StringValue(Duration(a.Value.Duration()))
	}
	return a
}
