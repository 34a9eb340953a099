package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/proxy"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
	"tidepool/lsp/lsptest"
)

// Two clients have different unsaved texts of one file, a third has none, and tools see the disk: each gets the answer
// for its own text, whoever asked before.
func TestProxyTextsStayApart(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		if err := p.WaitReady(t.Context()); err != nil {
			t.Fatal(err)
		}
		main := filepath.Join(dir, b.name)
		other := strings.Replace(b.name, "main", "other", 1)
		put(t, filepath.Join(dir, other), b.more("Other", 1, 0))
		first, second, third := greeted(t, p), greeted(t, p), greeted(t, p)
		first.open(filepath.Join(dir, other), b.more("Other", 3, 0))
		second.open(filepath.Join(dir, other), b.more("Other", 2, 0))
		line := strings.Count(b.source[:strings.Index(b.source, "Alpha")], "\n")
		at := strings.Index(strings.Split(b.source, "\n")[line], "Alpha")
		for round := range 3 {
			for who, want := range map[*peer]int{first: 3, second: 2, third: 1} {
				found := strings.Count(who.references(main, line, at), other)
				if found != want {
					t.Errorf("round %d: %d uses in %s, want %d", round, found, other, want)
				}
			}
			v := view(t, p)
			alpha := one(t, v, "Alpha")
			uses, err := v.References(t.Context(), alpha.Location, false)
			if err != nil || len(uses) != 2 {
				t.Errorf("round %d: tools see %v, %v", round, brief(dir, uses), err)
			}
		}
	})
}

// Changes of a part of the text are counted in UTF-16, and lines end in more than one way.
func TestProxyChanges(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, changes, want string }{
		{"abc", `[{"text":"x"}]`, "x"},
		{"abc", `[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":2}},"text":"X"}]`, "aXc"},
		{"ü😀x", `[{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":4}},"text":"y"}]`, "ü😀y"},
		{"a\r\nb\rc\nd", `[{"range":{"start":{"line":2,"character":0},"end":{"line":3,"character":0}},"text":"-"}]`, "a\r\nb\r-d"},
		{"a\r\nb", `[{"range":{"start":{"line":0,"character":9},"end":{"line":9,"character":9}},"text":"-"}]`, "a-"},
		{"ab", `[{"range":{"start":{"line":0,"character":2},"end":{"line":0,"character":0}},"text":"-"}]`, "ab-"},
		{"ab", `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"text":""},
		         {"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":1}},"text":"c"}]`, "bc"},
	} {
		var changes []text.Change
		if err := json.Unmarshal([]byte(test.changes), &changes); err != nil {
			t.Fatal(err)
		}
		got := test.text
		for _, c := range changes {
			got = c.Apply(got)
		}
		if got != test.want {
			t.Errorf("%q %s: got %q, want %q", test.text, test.changes, got, test.want)
		}
	}
}

// toyClient is a project of the toy language with one client.
func toyClient(t *testing.T, behaviours ...lsptest.Behaviour) (*Project, *peer, string) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
	p := open(t, dir, toy(behaviours...))
	return p, greeted(t, p), filepath.Join(dir, "main.toy")
}

// What the daemon asks about no text leaves the server those of a client; any other request is about the disk.
func TestProxyTextsAndRequestsAboutNone(t *testing.T) {
	t.Parallel()
	p, c, path := toyClient(t)
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.open(path, "def Alpha\nuse Alpha\nuse Alpha\n")
	c.references(path, 0, 4)
	live := current(p)
	for _, test := range []struct {
		about context.Context
		stray bool
	}{{session.AboutNoText(t.Context()), true}, {t.Context(), false}} {
		if _, err := session.Ask[protocol.SymbolInformationSlice](test.about, live, protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: "Alpha"}); err != nil {
			t.Fatal(err)
		}
		if stray := live.Progress.Overlaid(); stray != test.stray {
			t.Errorf("texts of clients are left: %t, want %t", stray, test.stray)
		}
	}
}

// The documents of a client follow what it types, until it closes them.
func TestProxyFollowsTyping(t *testing.T) {
	t.Parallel()
	_, c, path := toyClient(t)
	c.open(path, "def Alpha\nuse Alpha\n")
	change := func(version int, changes string) {
		c.notify("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%d},"contentChanges":%s}`, text.URI(path), version, changes))
	}
	change(8, `[{"range":{"start":{"line":2,"character":0},"end":{"line":2,"character":0}},"text":"use Alpha\nbad luck\n"}]`)
	if got := c.references(path, 0, 4); got != "main.toy:1 main.toy:2 main.toy:3" {
		t.Errorf("got %s", got)
	}
	c.hears("what is wrong, with the version of the client", func(m message) bool {
		return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), "luck")
	})
	c.notify("textDocument/didClose", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, text.URI(path)))
	if got := c.references(path, 0, 4); got != "main.toy:1 main.toy:2" {
		t.Errorf("after closing: %s", got)
	}
}

// Ids of any kind come back as they were, in whatever order.
func TestProxyIDs(t *testing.T) {
	t.Parallel()
	_, c, path := toyClient(t)
	for _, id := range []string{`"a/1"`, `"tidepool/1"`, `-3`, `"1"`} {
		c.mu.Lock()
		c.answers[id] = make(chan message, 1)
		c.mu.Unlock()
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"textDocument/hover","params":%s}`, id, placed(path, 0, 4)))
	}
	for _, id := range []string{`"1"`, `-3`, `"tidepool/1"`, `"a/1"`} {
		if m := c.end(id); !strings.Contains(string(m.Result), "`Alpha`") {
			t.Errorf("%s: %s %+v", id, m.Result, m.Error)
		}
	}
}

func TestProxyLifecycle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\n")
	p := open(t, dir, toy())
	c := dialed(t, p)
	c.refused("textDocument/hover", `{}`, -32002, "before the answer to initialize")
	c.notify("textDocument/didOpen", `{"textDocument":{}}`)
	if got := c.call("initialize", `{"capabilities":{}}`); !strings.Contains(got, `"textDocumentSync":{"openClose":true`) {
		t.Errorf("initialize: %s", got)
	}
	c.refused("initialize", `{"capabilities":{}}`, -32600, "already")
	c.refused("textDocument/diagnostic", `{}`, -32601, "a server of one's own")
	c.refused("toy/unheardOf", `{}`, -32601, "")
	if got := c.call("shutdown", `null`); got != "null" {
		t.Errorf("shutdown: %s", got)
	}
	c.refused("textDocument/hover", `{}`, -32600, "after shutdown")
	c.notify("exit", `null`)
	if err := c.served(); err != nil {
		t.Errorf("serve: %v", err)
	}
	c.done <- nil
	if current(p) == nil {
		t.Error("the server ended with its client")
	}
}

// What is no message is answered as far as it can be, and ends one client alone.
func TestProxyMalformed(t *testing.T) {
	t.Parallel()
	p, c, path := toyClient(t)
	for _, body := range []string{`{`, `[]`, `{"jsonrpc":"2.0"}`, `"x"`, `{"id":1}`} {
		c.send(body)
		c.hears("that "+body+" is no message", func(m message) bool { return m.Error != nil && m.Error.Code == -32700 })
	}
	c.call("textDocument/hover", placed(path, 0, 4))
	for _, raw := range []string{"Content-Length: x\r\n\r\n", "Content-Length: 99999999999\r\n\r\n", "nonsense\r\n\r\n", "Content-Length: -1\r\n\r\n"} {
		bad := greeted(t, p)
		if _, err := bad.conn.Write([]byte(raw)); err != nil {
			t.Fatal(err)
		}
		if err := bad.served(); !errors.Is(err, proxy.ErrFrame) {
			t.Errorf("%q: %v", raw, err)
		}
		bad.done <- nil
	}
	c.call("textDocument/hover", placed(path, 0, 4))
}

func TestProxyUnknownLanguage(t *testing.T) {
	t.Parallel()
	p := open(t, t.TempDir(), toy())
	_, err := p.Proxy(ProxyOptions{Language: "cobol"})
	var unserved *UnservedError
	if !errors.As(err, &unserved) || unserved.Hint() != "ask for toy" {
		t.Errorf("got %v", err)
	}
}
