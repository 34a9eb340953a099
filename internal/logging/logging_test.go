package logging

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/slogtest"
)

func open(t *testing.T, o Options) *slog.Logger {
	t.Helper()
	logger, closer, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := closer.Close(); err != nil {
			t.Error(err)
		}
	})
	return logger
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs", "controlserver.log")
	logger := open(t, Options{File: path, Level: slog.LevelInfo})
	logger.Debug("hidden")
	logger.Info("listening", "socket", "/a b/\x1b[2J.sock", slog.Group("server", "workers", 3))

	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte("\n")); n != 1 {
		t.Fatalf("the log has %d lines, want 1:\n%s", n, data)
	}
	var record struct {
		Level, Msg, Socket string
		Server             struct{ Workers int }
	}
	if err := json.Unmarshal(data, &record); err != nil {
		t.Fatal(err)
	}
	if record.Level != "INFO" || record.Msg != "listening" || record.Socket != "/a b/\x1b[2J.sock" || record.Server.Workers != 3 {
		t.Errorf("the record reads %+v", record)
	}
	if bytes.ContainsRune(data, '\x1b') {
		t.Errorf("the file holds a raw escape: %q", data)
	}
}

func TestFileIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	path := filepath.Join(dir, "controlserver.log")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	open(t, Options{File: path}).Info("hello")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode of an old file = %v, want 0600", info.Mode().Perm())
	}
	if data, _ := os.ReadFile(path); !bytes.HasPrefix(data, []byte("{}\n{")) {
		t.Errorf("the old log was not continued: %s", data)
	}
}

// A full file makes way for a new one, which is as private.
func TestRotation(t *testing.T) {
	dir := t.TempDir()
	logger := open(t, Options{File: filepath.Join(dir, "c.log"), MaxSizeMB: 1, MaxFiles: 1})
	half := strings.Repeat("x", 600<<10)
	logger.Info("first", "padding", half)
	logger.Info("second", "padding", half)
	files, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil || len(files) != 2 {
		t.Fatalf("files = %q (%v), want the current one and the one before", files, err)
	}
	for _, f := range files {
		if info, err := os.Stat(f); err != nil || info.Mode().Perm() != 0o600 || info.Size() > 1<<20 {
			t.Errorf("%s: %v, %v", f, info, err)
		}
	}
}

func TestOpenFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := Open(Options{File: filepath.Join(path, "c.log")})
	if err == nil || !strings.HasPrefix(err.Error(), "opening the log: ") {
		t.Errorf("Open = %v", err)
	}
}

func TestZeroOptionsDiscard(t *testing.T) {
	open(t, Options{}).Error("nobody reads this")
}

func TestTerminal(t *testing.T) {
	tests := []struct {
		name string
		log  func(*slog.Logger)
		want []string
	}{
		{"plain", func(l *slog.Logger) { l.Info("listening", "workers", 3) }, []string{"INFO", "listening", "workers=3"}},
		{"escape in message", func(l *slog.Logger) { l.Warn("a\x1b[2Jb\nERRO forged") }, []string{"WARN", `a\x1b[2Jb\nERRO forged`}},
		{"escape in value", func(l *slog.Logger) { l.Info("m", "path", "x\x1b]0;t\x07y") }, []string{`x\x1b]0;t\ay`}},
		{"escape in error", func(l *slog.Logger) {
			l.Error("m", "error", &os.PathError{Op: "open", Path: "\x1bc", Err: os.ErrNotExist})
		}, []string{`open \x1bc: file does not exist`}},
		{"right to left override", func(l *slog.Logger) { l.Info("m", "name", "gpj.\u202eexe") }, []string{`gpj.\u202eexe`}},
		{"escape in key", func(l *slog.Logger) { l.Info("m", "\x1bk", 1) }, []string{`\x1bk=1`}},
		{"group", func(l *slog.Logger) { l.WithGroup("hook").With("event", "Stop").Info("m", slog.Group("took", "ms", 2)) }, []string{"hook.event=Stop", "hook.took.ms=2"}},
		{"umlaut", func(l *slog.Logger) { l.Info("m", "dir", "/Überblick") }, []string{"/Überblick"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			tt.log(open(t, Options{Terminal: &out}))
			for _, want := range tt.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%q does not contain %q", out.String(), want)
				}
			}
			if strings.Count(out.String(), "\n") != 1 || strings.ContainsAny(out.String(), "\x1b\a") {
				t.Errorf("not one clean line: %q", out.String())
			}
		})
	}
}

func TestTerminalLevel(t *testing.T) {
	var out bytes.Buffer
	logger := open(t, Options{Terminal: &out, Level: slog.LevelWarn})
	logger.Info("hidden")
	if out.Len() > 0 {
		t.Errorf("info is shown at level warn: %q", out.String())
	}
}

// The keys that reach charm's handler, read as nested groups again, pass the standard library's own test.
func TestTerminalHandler(t *testing.T) {
	var buf bytes.Buffer
	handler := &terminal{next: slog.NewJSONHandler(&buf, nil)}
	err := slogtest.TestHandler(handler, func() []map[string]any {
		var records []map[string]any
		for line := range bytes.Lines(buf.Bytes()) {
			flat := map[string]any{}
			if err := json.Unmarshal(line, &flat); err != nil {
				t.Fatal(err)
			}
			records = append(records, nest(flat))
		}
		return records
	})
	if err != nil {
		t.Error(err)
	}
}

func nest(flat map[string]any) map[string]any {
	nested := map[string]any{}
	for key, value := range flat {
		at := nested
		parts := strings.Split(key, ".")
		for _, part := range parts[:len(parts)-1] {
			inner, ok := at[part].(map[string]any)
			if !ok {
				inner = map[string]any{}
				at[part] = inner
			}
			at = inner
		}
		at[parts[len(parts)-1]] = value
	}
	return nested
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"":               "",
		"plain ü 漢":      "plain ü 漢",
		"\x00\t\r\n\x7f": `\x00\t\r\n\x7f`,
		"\u009b2J":       `\u009b2J`,
		"a\xffb":         "a\ufffdb",
		`back\slash "q"`: `back\slash "q"`,
	} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestIsTerminal(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if IsTerminal(null) {
		t.Errorf("%s passes for a terminal", os.DevNull)
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if IsTerminal(file) {
		t.Error("a file passes for a terminal")
	}
}
