// Package logging makes the daemon's logger: slog at the call sites, JSON lines in a rotated file, and text
// for a person when the daemon runs at a terminal.
//
// Callers are responsible for what they log. At info level and above: events, names, counts, durations, error texts. At debug
// level only: prompts, file contents, tool arguments and results. Never: values of the environment.
package logging

import (
	"fmt"
	"io"
	"log/slog"
	"os"
)

// Options says where records go. The zero value discards them.
type Options struct {
	Level     slog.Level
	File      string    // path of the log file, made with its directory when absent; "" is none
	MaxSizeMB int       // megabytes before the file is rotated; 0 or less is 10
	MaxFiles  int       // rotated files kept beside it; 0 or less is 5
	Terminal  io.Writer // a terminal; nil is none
}

// Open returns the logger and its file, which the caller closes. A logger that cannot write later, for example on a full disk,
// loses records and does not fail its callers; File.Trouble reports it.
func Open(o Options) (*slog.Logger, *File, error) {
	var handlers []slog.Handler
	file := new(File)
	if o.File != "" {
		out, err := openRotating(o)
		if err != nil {
			return nil, nil, fmt.Errorf("opening the log: %w", err)
		}
		file.out = out
		handlers = append(handlers, slog.NewJSONHandler(file, &slog.HandlerOptions{Level: o.Level, ReplaceAttr: readable}))
	}
	if o.Terminal != nil {
		handlers = append(handlers, newTerminal(o.Terminal, o.Level))
	}
	return slog.New(slog.NewMultiHandler(handlers...)), file, nil
}

// IsTerminal reports whether f is a terminal: a character device other than the null device.
func IsTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && !os.SameFile(info, null)
}
