// Package logging makes the daemon's logger: slog at the call sites, JSON lines in a rotated file, and text
// for a person when the daemon runs at a terminal.
//
// What may be logged is the callers' part of the contract. At info level and above: what happened, names,
// counts, durations, error texts. Never, at any level above debug: prompts, file contents, tool arguments and
// results. Never at all: values of the environment.
package logging

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"

	"gopkg.in/natefinch/lumberjack.v2"
)

// Options says where records go. The zero value discards them.
type Options struct {
	Level     slog.Level
	File      string    // path of the log file, made with its directory when absent; "" is none
	MaxSizeMB int       // megabytes before the file is rotated; 0 is 10
	MaxFiles  int       // rotated files kept beside it; 0 is 5
	Terminal  io.Writer // a terminal; nil is none
}

// Open returns the logger and its file, to be closed. A logger that cannot write later, on a full disk for example,
// loses records and does not fail its callers; the file tells.
//
// Goroutines: lumberjack keeps one that removes old files; it starts with the first record and lives as long
// as the process.
func Open(o Options) (*slog.Logger, *File, error) {
	var handlers []slog.Handler
	file := new(File)
	if o.File != "" {
		out, err := openFile(o)
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

// openFile makes sure that the file can be written and that nobody else can read it, neither now nor after a
// rotation, which copies the mode. It follows no symbolic link to the file or its directory: they may have come with a
// clone.
func openFile(o Options) (*lumberjack.Logger, error) {
	dir := filepath.Dir(o.File)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return nil, cmp.Or(err, error(&LinkError{dir}))
	}
	f, err := os.OpenFile(o.File, os.O_CREATE|os.O_WRONLY|os.O_APPEND|syscall.O_NOFOLLOW, 0o600)
	if errors.Is(err, syscall.ELOOP) {
		return nil, &LinkError{o.File}
	}
	if err != nil {
		return nil, err
	}
	if err := errors.Join(f.Chmod(0o600), f.Close()); err != nil {
		return nil, err
	}
	return &lumberjack.Logger{
		Filename:   o.File,
		MaxSize:    orDefault(o.MaxSizeMB, 10),
		MaxBackups: orDefault(o.MaxFiles, 5), // lumberjack's own zero keeps all
	}, nil
}

// A LinkError says that the log would be written to some other place.
type LinkError struct{ Path string }

func (e *LinkError) Error() string { return e.Path + " is a symbolic link" }

// Hint says what to do.
func (e *LinkError) Hint() string { return "remove it; it is made anew" }

func orDefault(n, otherwise int) int {
	if n <= 0 {
		return otherwise
	}
	return n
}

// IsTerminal reports whether f is a terminal, that is a character device that keeps what it gets.
func IsTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && !os.SameFile(info, null)
}
