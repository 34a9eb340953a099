package setup

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A writer writes random JSON in a random layout.
type writer struct {
	*rapid.T
	b         strings.Builder
	eol, unit string
	flat      bool
}

func (w *writer) pick(from ...string) string { return rapid.SampledFrom(from).Draw(w.T, "text") }

// space is what an untidy hand leaves around commas and colons.
func (w *writer) space() string { return w.pick("", "", "", " ", "  ") }

func (w *writer) line(depth int) {
	if w.flat || rapid.IntRange(0, 9).Draw(w.T, "untidy") == 0 {
		w.b.WriteString(w.space())
		return
	}
	w.b.WriteString(w.eol + strings.Repeat(w.unit, depth))
}

func (w *writer) list(depth, n int, open, end string, element func(i int)) {
	w.b.WriteString(open)
	for i := range n {
		if i > 0 {
			w.b.WriteString(w.space() + ",")
		}
		w.line(depth + 1)
		element(i)
	}
	if n > 0 || rapid.Bool().Draw(w.T, "empty with space") {
		w.line(depth)
	}
	w.b.WriteString(end)
}

func (w *writer) object(depth int, keys []string, value func(key string)) {
	w.list(depth, len(keys), "{", "}", func(i int) {
		w.b.WriteString(`"` + keys[i] + `"` + w.space() + ":" + w.space())
		value(keys[i])
	})
}

func (w *writer) keys(from ...string) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(from), 0, len(from), rapid.ID).Draw(w.T, "keys")
}

func (w *writer) count() int { return rapid.IntRange(0, 3).Draw(w.T, "count") }

func (w *writer) scalar() {
	w.b.WriteString(w.pick(`"x"`, `"ü\u00fc\n"`, "1.50e3", "-0", "true", "null", "{}", "[ ]", `["a",1]`))
}

func (w *writer) settings() string {
	w.object(0, w.keys("model", "env", "hooks", "permissions", "hooks2"), func(key string) {
		if key != "hooks" {
			w.scalar()
			return
		}
		w.object(1, w.keys("Stop", "PreToolUse", "Notification", "PostToolUse", "SessionEnd"), func(string) {
			w.list(2, w.count(), "[", "]", func(int) { w.group() })
		})
	})
	return w.b.String()
}

func (w *writer) group() {
	w.object(3, w.keys("matcher", "hooks", "note"), func(key string) {
		if key != "hooks" {
			w.scalar()
			return
		}
		w.list(4, w.count(), "[", "]", func(int) {
			w.object(5, w.keys("type", "command", "timeout", "args"), func(key string) {
				w.b.WriteString(map[string]string{"type": `"command"`, "command": `"/foreign/agent"`,
					"timeout": "3", "args": `["hook", "nothing"]`}[key])
			})
		})
	})
}

func drawSettings(t *rapid.T) string {
	w := &writer{T: t}
	w.eol, w.unit, w.flat = w.pick("\n", "\r\n"), w.pick("\t", " ", "  ", "    "), rapid.Bool().Draw(t, "flat")
	text := w.settings()
	return w.pick("", "", byteOrderMark) + w.pick("", "", "\n") + text + w.pick("", w.eol)
}

func TestPropertyUninitUndoesInit(t *testing.T) {
	t.Parallel() // it waits for the disk
	h := newHome(t)
	rapid.Check(t, func(t *rapid.T) {
		before := drawSettings(t)
		h.write(h.settings(), before)
		h.init()
		after := h.read(h.settings())
		if p := h.init(); len(p.Changes) != 0 {
			t.Fatalf("a second init would change\n%s", p.Diff())
		}
		if !json.Valid([]byte(strings.TrimPrefix(after, byteOrderMark))) {
			t.Fatalf("not JSON:\n%s", after)
		}
		h.uninit()
		if got := h.read(h.settings()); got != before {
			t.Fatalf("before and after:\n%q\n%q", before, got)
		}
	})
}

// Without a backup nothing but empty lists and objects of hooks may go.
func TestPropertyUninitWithoutBackup(t *testing.T) {
	t.Parallel() // it waits for the disk
	h := newHome(t)
	rapid.Check(t, func(t *rapid.T) {
		before := drawSettings(t)
		h.write(h.settings(), before)
		h.init()
		if err := os.RemoveAll(filepath.Join(h.stateDir(), "backup")); err != nil {
			t.Fatal(err)
		}
		h.uninit()
		got := "{}"
		if _, err := os.Stat(h.settings()); err == nil {
			got = h.read(h.settings())
		}
		if want, got := meaning(t, before), meaning(t, got); !cmp.Equal(want, got) {
			t.Fatalf("(-want +got):\n%s", cmp.Diff(want, got))
		}
	})
}

// meaning is what the settings say, without events of ours that have no hooks.
func meaning(t *rapid.T, text string) map[string]any {
	var all map[string]any
	if err := json.Unmarshal([]byte(strings.TrimPrefix(text, byteOrderMark)), &all); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	events, _ := all["hooks"].(map[string]any)
	for event, groups := range events {
		ours := slices.ContainsFunc(wantedHooks(), func(w wantedHook) bool { return string(w.event) == event })
		if list, _ := groups.([]any); ours && len(list) == 0 {
			delete(events, event)
		}
	}
	if len(events) == 0 {
		delete(all, "hooks")
	}
	return all
}

// Whatever a file holds, it is refused with a line or changed into JSON that a second init leaves alone.
func FuzzPut(f *testing.F) {
	f.Add([]byte(`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/a/agent", "args": ["hook", "stop"]}]}]}}`))
	f.Add([]byte("\ufeff{\r\n\t\"hooks\": {}\r\n}"))
	f.Add([]byte(`{"mcpServers": {"tidepool": {"command": "agent", "args": ["mcp"]}}}`))
	f.Add([]byte("{} //"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, k := range []kind{hooks{}, server{}} {
			once := putInto(t, k, data)
			if once == nil {
				continue
			}
			if twice := putInto(t, k, once); string(twice) != string(once) {
				t.Errorf("once and twice:\n%s\n%s", once, twice)
			}
			for _, text := range [][]byte{once, takenOutOf(t, k, once)} {
				if text = bytes.TrimPrefix(text, []byte(byteOrderMark)); !json.Valid(text) {
					t.Errorf("not JSON: %q", text)
				}
			}
		}
	})
}

// putInto returns nil if data is refused.
func putInto(t *testing.T, k kind, data []byte) []byte {
	doc, err := parse("file", data)
	if err == nil {
		err = k.put(doc, "/bin/agent")
	}
	if err == nil {
		return doc.bytes()
	}
	if refused, ok := err.(*FileError); !ok || refused.Line < 1 {
		t.Errorf("no line: %v", err)
	}
	return nil
}

func takenOutOf(t *testing.T, k kind, data []byte) []byte {
	doc, err := parse("file", data)
	if err != nil {
		t.Fatal(err)
	}
	found, err := k.find(doc)
	if err != nil || len(found) == 0 {
		t.Fatalf("found %v, %v", found, err)
	}
	removeAll(found)
	if left, err := k.find(doc); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	return doc.bytes()
}
