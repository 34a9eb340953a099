package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// TestProgress plays what a server may report, in orders that have gone wrong elsewhere.
func TestProgress(t *testing.T) {
	tests := []struct{ script, want string }{
		{"", "indexing"},
		{"+check1 +load -load", "indexing"},
		{"+check1 +load -load -check1", "complete"},
		{"+check1 +load -check1", "indexing"},
		{"+check1 +load -load error -check1", "partial"},
		{"+check1 +load -load error ok -check1", "complete"},
		{"+check1 +load !load -check1", "partial"},
		{"+check1 +load -load -check1 change", "indexing"},
		{"+check1 +load -load -check1 change +check2", "indexing"},
		{"+check1 +load -load -check1 change +check2 -check2", "complete"},
		{"+check1 +load -load -check1 change +check2 error -check2", "partial"},
		{"+check1 +load -load -check1 open", "complete"},
		{"+check1 +load -load -check1 open +check2", "complete"},
		{"+check1 +load -load -check1 change open +check2 -check2", "indexing"}, // the check of the first was cut off
		{"+check1 +load -load -check1 change open +check2 -check2 +check3 -check3", "complete"},
		{"+check1 +load -load change -check1", "indexing"}, // the change came before the first check ended
		{"+check1 +load -load change -check1 +check2 -check2", "complete"},
		{"-check9 +other +check1 +load -load -check1", "complete"}, // unknown and unrelated work is nobody's business
	}
	language := golang()
	for _, test := range tests {
		p := newProgress(&language)
		for _, word := range strings.Fields(test.script) {
			switch name := word[1:]; {
			case word == "change", word == "open":
				p.notify(word == "change")
			case word == "error":
				p.found("/x.go", faults{first: []Problem{{Path: "/x.go", Message: "bad"}}, count: 1})
			case word == "ok":
				p.found("/x.go", faults{})
			case word[0] == '+':
				title := map[string]string{"load": language.LoadTitle, "other": "Something else"}[name]
				if title == "" {
					title = language.CheckTitle + name
				}
				p.begin(name, task{title: title})
			case word[0] == '-':
				p.end(name, language.LoadEnd)
			case word[0] == '!':
				p.end(name, "Error loading packages: bad luck")
			}
		}
		c := p.completeness(part{relative: func(path string) string { return path }})
		if string(c.State) != test.want || (c.reason == "") != (c.State == Complete) {
			t.Errorf("%s: %s (%s), want %s", test.script, c.State, c.reason, test.want)
		}
	}
}

func TestPercent(t *testing.T) {
	language := golang()
	p := newProgress(&language)
	p.begin("a", task{title: language.LoadTitle})
	p.report("a", "half way", 50)
	p.begin("b", task{title: language.CheckTitle, percent: 20})
	p.report("unknown", "", 1)
	if c := p.completeness(part{}); c.Done != 20 || c.Total != 100 {
		t.Errorf("%d of %d", c.Done, c.Total)
	}
}

// answer sends a request as a server might and returns the reply.
func answer(t *testing.T, s *session, method, params string) (string, error) {
	t.Helper()
	left, right := jsonrpc2.NewChannelStreamPair(1)
	client, server := jsonrpc2.NewConn(left, jsonrpc2.WithCodec(codec{})), jsonrpc2.NewConn(right, jsonrpc2.WithCodec(codec{}))
	client.Go(t.Context(), s.handle)
	server.Go(t.Context(), jsonrpc2.MethodNotFoundHandler)
	defer server.Close()
	defer client.Close()
	var result json.RawMessage
	_, err := server.Call(t.Context(), method, json.RawMessage(params), &result)
	return string(result), err
}

func TestServersRequests(t *testing.T) {
	language := golang()
	language.Settings = map[string]any{"symbolStyle": "Full"}
	s := &session{launch: launch{language: &language, dir: "/a project"}, progress: newProgress(&language)}
	tests := []struct{ method, params, want string }{
		{protocol.MethodWorkspaceConfiguration, `{"items":[{"section":"gopls","scopeUri":"file:///x"},{"section":"other"}]}`, `[{"symbolStyle":"Full"},null]`},
		{protocol.MethodWorkspaceWorkspaceFolders, `null`, `[{"name":"a project","uri":"file:///a%20project"}]`},
		{protocol.MethodWorkspaceApplyEdit, `{"edit":{}}`, `{"applied":false,"failureReason":"this client only reads"}`},
		{protocol.MethodWindowShowDocument, `{"uri":"https://example.com"}`, `{"success":false}`},
		{protocol.MethodWindowWorkDoneProgressCreate, `{"token":1}`, `null`},
		{protocol.MethodClientRegisterCapability, `{"registrations":[]}`, `null`},
		{protocol.MethodWindowShowMessageRequest, `{"type":1,"message":"Sure?"}`, `null`},
	}
	for _, test := range tests {
		got, err := answer(t, s, test.method, test.params)
		if err != nil || !sameJSON(t, got, test.want) {
			t.Errorf("%s: %s, %v; want %s", test.method, got, err, test.want)
		}
	}
	if _, err := answer(t, s, "something/unheardOf", `{}`); !errors.Is(err, jsonrpc2.ErrMethodNotFound) {
		t.Errorf("unknown request: %v", err)
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	return cmp.Equal(x, y)
}

// FuzzHear feeds notifications that no server should send: none may end the connection or panic.
func FuzzHear(f *testing.F) {
	for _, method := range []string{protocol.MethodProgress, protocol.MethodTextDocumentPublishDiagnostics, protocol.MethodWindowShowMessage, "x"} {
		f.Add(method, `{"token":1,"value":{"kind":"begin","title":"x"},"uri":"file:///a","diagnostics":[{"severity":1}],"type":1,"message":"m"}`)
		f.Add(method, `{"token":null,"value":[],"uri":7,"diagnostics":{},"type":"x"}`)
		f.Add(method, ``)
	}
	language := golang()
	f.Fuzz(func(t *testing.T, method, params string) {
		s := &session{launch: launch{language: &language}, progress: newProgress(&language)}
		s.hear(method, []byte(params))
	})
}

// TestManyAtOnce has many callers ask while the disk changes, under the race detector.
func TestManyAtOnce(t *testing.T) {
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		var callers sync.WaitGroup
		for caller := range 8 {
			callers.Go(func() {
				for round := range 5 {
					name := fmt.Sprintf("G%d_%d", caller, round)
					path := dir + "/" + name + b.name[strings.LastIndexByte(b.name, '.'):]
					put(t, path, b.more(name, 1, 0))
					p.FilesChanged(path)
					v, err := p.View(t.Context(), ViewOptions{})
					if err != nil {
						t.Error(err)
						return
					}
					found, err := v.Symbols(t.Context(), name)
					if err != nil || len(found) != 1 {
						t.Errorf("%s: %+v, %v", name, found, err)
						return
					}
					if _, err := v.References(t.Context(), found[0].Location, true); err != nil {
						t.Error(err)
					}
					p.Status()
				}
			})
		}
		callers.Wait()
		if got, c := uses(t, p); got != 1+8*5 || c.State != Complete {
			t.Errorf("%d uses, %+v", got, c)
		}
	})
}
