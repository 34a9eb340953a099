// Package tomledit adds a table to TOML text and removes it. Every other byte, comments included, stays as it is.
//
// A table is added at the end, after an empty line. Only a table with a header of its own, [mcp_servers.tidepool], is
// changed or removed; Find reports whether the name is there in another form, such as an inline table. Each change is
// read again, and refused if it means anything but what was asked for.
package tomledit

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// An Error says what is wrong with a text, and where.
type Error struct {
	Line    int // from 1
	Problem string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// A Table is one that Find found.
type Table struct {
	Values map[string]any // as go-toml decodes them
	Line   int            // of its header, from 1; 0: it has no header of its own
}

// Find returns the table of that name, nil if there is none.
func Find(text []byte, name ...string) (*Table, error) {
	all, err := decode(text)
	if err != nil {
		return nil, err
	}
	spans, err := spansOf(text, name)
	if err != nil {
		return nil, err
	}
	var at any = all
	for i, part := range name {
		members, is := at.(map[string]any)
		if !is {
			return nil, &Error{1, strings.Join(name[:i], ".") + " is not a table"}
		}
		if at = members[part]; at == nil {
			return nil, nil
		}
	}
	values, is := at.(map[string]any)
	if !is {
		return nil, &Error{1, strings.Join(name, ".") + " is not a table"}
	}
	table := &Table{Values: values}
	if i := slices.IndexFunc(spans, func(s span) bool { return s.exact }); i >= 0 {
		table.Line = lineOf(text, spans[i].header)
	}
	return table, nil
}

// Add adds a table that is not there, with its values in the order given.
func Add(text []byte, values []Value, name ...string) ([]byte, error) {
	eol := "\n"
	if before, _, found := bytes.Cut(text, []byte("\n")); found && bytes.HasSuffix(before, []byte("\r")) {
		eol = "\r\n"
	}
	var b bytes.Buffer
	b.Write(text)
	if len(text) > 0 {
		if !bytes.HasSuffix(text, []byte("\n")) {
			b.WriteString(eol)
		}
		b.WriteString(eol)
	}
	fmt.Fprintf(&b, "[%s]%s", strings.Join(name, "."), eol)
	want := map[string]any{}
	for _, v := range values {
		line, err := toml.Marshal(map[string]any{v.Key: v.Value})
		if err != nil {
			return nil, err
		}
		b.WriteString(strings.TrimSuffix(string(line), "\n") + eol)
		want[v.Key] = v.Value
	}
	return b.Bytes(), compare(text, b.Bytes(), func(all map[string]any) { set(all, normal(want), name) })
}

// A Value is a key of a table with its value, which go-toml can encode on one line.
type Value struct {
	Key   string
	Value any
}

// SetString replaces a value in a table with a header by a text. The key must be there.
func SetString(text []byte, key, value string, name ...string) ([]byte, error) {
	at, err := valueOf(text, key, name)
	if err != nil {
		return nil, err
	}
	line, err := toml.Marshal(map[string]any{"k": value})
	if err != nil {
		return nil, err
	}
	by := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("k = ")))
	after := slices.Concat(text[:at.Offset], by, text[at.Offset+at.Length:])
	return after, compare(text, after, func(all map[string]any) { set(all, value, append(slices.Clip(name), key)) })
}

// Remove takes out the table with that header and the tables below it, each with one empty line before it.
func Remove(text []byte, name ...string) ([]byte, error) {
	spans, err := spansOf(text, name)
	if err != nil || len(spans) == 0 {
		return text, err
	}
	var b bytes.Buffer
	at := 0
	for _, s := range spans {
		b.Write(text[at:max(at, s.from)])
		at = s.to
	}
	b.Write(text[at:])
	return b.Bytes(), compareRemoved(text, b.Bytes(), name)
}

// compareRemoved is compare for Remove. Empty tables around the name may stay or go.
func compareRemoved(before, after []byte, name []string) error {
	if left, err := Find(after, name...); left != nil || err != nil {
		return &Error{1, strings.Join(name, ".") + " is written in a form that cannot be removed"}
	}
	got, err := decode(after)
	if err != nil {
		return err
	}
	unset(got, name)
	want, err := decode(before)
	if err != nil {
		return err
	}
	unset(want, name)
	return same(want, got)
}

// maxBrackets bounds the nesting that the parser, which is recursive, can meet.
const maxBrackets = 50_000

func decode(text []byte) (map[string]any, error) {
	if n := bytes.Count(text, []byte("{")) + bytes.Count(text, []byte("[")); n > maxBrackets {
		return nil, &Error{1, fmt.Sprintf("%d brackets are too many for settings", n)}
	}
	all := map[string]any{}
	err := toml.Unmarshal(text, &all)
	if wrong, is := err.(*toml.DecodeError); is {
		line, _ := wrong.Position()
		return nil, &Error{line, strings.TrimPrefix(wrong.Error(), "toml: ")}
	}
	return all, err
}

// compare returns an error unless after means what before means once change has changed it.
func compare(before, after []byte, change func(map[string]any)) error {
	want, err := decode(before)
	if err != nil {
		return err
	}
	got, err := decode(after)
	if err != nil {
		return fmt.Errorf("the table cannot be written as it stands there: %w", err)
	}
	change(want)
	return same(want, got)
}

func same(want, got map[string]any) error {
	if !reflect.DeepEqual(want, got) {
		return &Error{1, "the table cannot be changed without changing something else"}
	}
	return nil
}

// normal returns values as go-toml decodes them: a []string becomes a []any.
func normal(values map[string]any) map[string]any {
	text, err := toml.Marshal(values)
	if err != nil {
		return values
	}
	all, err := decode(text)
	if err != nil {
		return values
	}
	return all
}

func set(all map[string]any, value any, name []string) {
	for _, part := range name[:len(name)-1] {
		below, is := all[part].(map[string]any)
		if !is {
			below = map[string]any{}
			all[part] = below
		}
		all = below
	}
	all[name[len(name)-1]] = value
}

// unset removes a name, and the tables around it that are then empty.
func unset(all map[string]any, name []string) {
	below, is := all[name[0]].(map[string]any)
	if len(name) > 1 && is {
		unset(below, name[1:])
	}
	if len(name) == 1 || len(below) == 0 {
		delete(all, name[0])
	}
}

func lineOf(text []byte, offset int) int { return 1 + bytes.Count(text[:offset], []byte("\n")) }

// valueOf returns where a key's value stands in the table with that header.
func valueOf(text []byte, key string, name []string) (unstable.Range, error) {
	var p unstable.Parser
	p.Reset(text)
	within := false
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			within = e.Kind == unstable.Table && slices.Equal(keysOf(e), name)
		case unstable.KeyValue:
			if within && slices.Equal(keysOf(e), []string{key}) && e.Value().Kind == unstable.String {
				return e.Value().Raw, nil
			}
		}
	}
	return unstable.Range{}, &Error{1, fmt.Sprintf("%s has no text %q", strings.Join(name, "."), key)}
}

func keysOf(e *unstable.Node) (keys []string) {
	for it := e.Key(); it.Next(); {
		keys = append(keys, string(it.Node().Data))
	}
	return keys
}
