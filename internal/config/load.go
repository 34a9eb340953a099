package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"tidepool/internal/state"
)

// maxFile is the largest configuration file that is read, in bytes.
const maxFile = 1 << 20

// A loader fills one Config, source by source, and keeps what was wrong.
type loader struct {
	config   *Config
	keys     []key
	problems []error
}

func (l *loader) defaults() {
	for _, k := range l.keys {
		l.set(k, fromText(k.value, k.initial), func(int) string { return "default" })
	}
}

// file reads the configuration file; that there is none is fine.
func (l *loader) file(path string) error {
	data, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the configuration: %w", err)
	}
	at := func(line int) string { return fmt.Sprintf("%s:%d", path, line) }
	root, bad := parse(data)
	if bad == nil && root.kind != object {
		bad = root.expected("an object")
	}
	if bad != nil {
		l.report("", bad, at)
		return nil
	}
	l.section("", root, make(map[string]int), at)
	return nil
}

// readFile reads the file at path, which belongs to this user, or to root, who needs no file to have a way.
func readFile(path string) (data []byte, err error) {
	err = state.Within(path, func(f *state.File) error {
		data, err = f.Read(maxFile)
		return err
	})
	return data, err
}

// section sets the keys below prefix from the members of n. seen maps each key to the line that set it.
func (l *loader) section(prefix string, n *node, seen map[string]int, at func(int) string) {
	for _, m := range n.members {
		name := prefix + m.name
		k, isKey := l.find(name)
		switch {
		case isKey && seen[name] > 0:
			l.report(name, &fault{line: m.line, problem: fmt.Sprintf("given twice, first in line %d", seen[name])}, at)
		case isKey:
			seen[name] = m.line
			l.set(k, m.value, at)
		case !l.isSection(name):
			l.report(name, l.unknown(name, m.line), at)
		case m.value.kind != object:
			l.report(name, m.value.expected("an object"), at)
		default:
			l.section(name+".", m.value, seen, at)
		}
	}
}

// environment reads the variables of all keys; of two for one key the first that is set counts.
func (l *loader) environment(lookup func(string) (string, bool)) {
	if lookup == nil {
		return
	}
	for _, k := range l.keys {
		for _, name := range k.variables() {
			if value, _ := lookup(name); value != "" {
				l.set(k, fromText(k.value, value), func(int) string { return name })
				break
			}
		}
	}
}

func (l *loader) flags(flags map[string]string) {
	at := func(int) string { return "command line" }
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		k, known := l.find(name)
		switch {
		case !known:
			l.report(name, l.unknown(name, 0), at)
		case flags[name] != "":
			l.set(k, fromText(k.value, flags[name]), at)
		}
	}
}

func (l *loader) set(k key, n *node, at func(line int) string) {
	if bad := k.value.decode(n); bad != nil {
		l.report(k.name, bad, at)
		return
	}
	l.config.sources[k.name] = at(n.line)
}

func (l *loader) report(key string, f *fault, at func(line int) string) {
	l.problems = append(l.problems, &KeyError{Key: key + f.below, Source: at(f.line), Problem: f.problem, Advice: f.advice})
}

func (l *loader) find(name string) (key, bool) {
	i := slices.IndexFunc(l.keys, func(k key) bool { return k.name == name })
	if i < 0 {
		return key{}, false
	}
	return l.keys[i], true
}

func (l *loader) isSection(name string) bool {
	return slices.ContainsFunc(l.keys, func(k key) bool { return strings.HasPrefix(k.name, name+".") })
}

func (l *loader) unknown(name string, line int) *fault {
	names := make([]string, len(l.keys))
	for i, k := range l.keys {
		names[i] = k.name
	}
	return &fault{line: line, problem: "unknown key", advice: suggest(name, names, "`agent config` lists all keys")}
}

// encode writes plain data as JSON on one line, without escaping the characters of HTML.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSpace(b.Bytes())
}
