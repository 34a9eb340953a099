package mcpsource

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/internal/conversation"
	"tidepool/internal/mcpfeature"
	"tidepool/internal/policy"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/ref"
	"tidepool/internal/session"
	"tidepool/internal/state"
	"tidepool/lsp"
	"tidepool/lsp/lsptest"
	"tidepool/protocol"
	"tidepool/tools"
	memorytools "tidepool/tools/memory"
)

// claimed is a Caller that believes what a request says.
func claimed(_ context.Context, meta *protocol.CallMeta) session.Conversation {
	return session.Conversation{ID: session.ID{Session: meta.Session}, Dir: meta.Cwd}
}

// brief returns what was found on one line.
func brief(f mcpfeature.Found) string {
	var ids []string
	for _, item := range f.Items {
		ids = append(ids, item.ID)
	}
	return fmt.Sprintf("%s of %d, lacks %q", strings.Join(ids, " "), f.Total, f.Lacks)
}

func list(t *testing.T, s mcpfeature.Source, q mcpfeature.Query) string {
	t.Helper()
	found, err := s.List(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return brief(found)
}

func TestReferencesOfTheSession(t *testing.T) {
	dir, err := state.Make(filepath.Join(t.TempDir(), state.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	store, err := ref.Open(dir.Sub("refs"), ref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	put := func(session string) string {
		id, err := store.Put(session, []byte("text"))
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	own, other := put("mine"), put("theirs")
	r := &References{Caller: claimed, Kept: func(session string) ([]ref.Entry, error) { return store.List(session), nil }}
	mine := &protocol.CallMeta{Session: "mine"}
	for _, test := range []struct {
		q    mcpfeature.Query
		want string
	}{
		{mcpfeature.Query{Caller: mine, Limit: 9}, own + ` of 1, lacks ""`},
		{mcpfeature.Query{Caller: mine, Text: own[:9], Limit: 9}, own + ` of 1, lacks ""`},
		{mcpfeature.Query{Caller: mine, Text: other, Limit: 9}, ` of 0, lacks ""`},
		{mcpfeature.Query{Caller: &protocol.CallMeta{}, Limit: 9}, ` of 0, lacks ""`},
		{mcpfeature.Query{Limit: 9}, ` of 0, lacks ""`},
	} {
		if got := list(t, r, test.q); got != test.want {
			t.Errorf("%+v: %s", test.q, got)
		}
	}
}

// An archive lists what it has been given.
type archive struct {
	sessions []conversation.Summary
	state    conversation.Completeness
}

func (a archive) List(_ context.Context, q conversation.ListQuery) ([]conversation.Summary, int, conversation.Completeness, error) {
	return a.sessions[:min(q.Limit, len(a.sessions))], len(a.sessions), a.state, nil
}

func TestConversations(t *testing.T) {
	last := time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC)
	sessions := []conversation.Summary{{Session: "s-1", Title: "Fix it", Turns: 1, Last: last}, {Session: "s-2", Turns: 2}}
	c := &Conversations{archive{sessions, conversation.Completeness{State: conversation.Complete}}}
	found, err := c.List(t.Context(), mcpfeature.Query{Limit: 1})
	if err != nil || brief(found) != `s-1 of 2, lacks ""` || found.Items[0].About != "1 turn, last 3 Nov 2026" || found.Items[0].Parts != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	for want, state := range map[string]conversation.Completeness{
		"25% of the transcripts are read": {State: conversation.Indexing, Share: 0.25},
		"a file is damaged":               {State: conversation.Partial, Why: "a file is damaged"},
	} {
		if got := list(t, &Conversations{archive{sessions, state}}, mcpfeature.Query{Limit: 9}); got != fmt.Sprintf("s-1 s-2 of 2, lacks %q", want) {
			t.Errorf("got %s", got)
		}
	}
}

// remembering opens the memories of a project in a directory of its own.
func remembering(t *testing.T) (*recall.Store, memory.Project) {
	t.Helper()
	project, err := recall.ProjectOf(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	store, err := recall.Open(t.Context(), recall.Options{Dir: t.TempDir(), Project: project})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := store.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return store, project
}

func TestMemories(t *testing.T) {
	store, project := remembering(t)
	var ids []string
	for _, content := range []string{"Deploys go through staging.", "The parser is recursive."} {
		saved, err := store.Save(t.Context(), memory.Draft{Content: content, Trust: memory.Saved})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, saved.ID)
	}
	m := &Memories{Open: func(context.Context) (Finder, memory.Project, error) { return store, project, nil }}
	for _, test := range []struct {
		q    mcpfeature.Query
		want string
	}{
		{mcpfeature.Query{Limit: 9}, ids[1] + " " + ids[0] + ` of 2, lacks ""`},
		{mcpfeature.Query{Limit: 1}, ids[1] + ` of 2, lacks "older ones"`},
		{mcpfeature.Query{Text: "STAGING", Limit: 9}, ids[0] + ` of 1, lacks ""`},
		{mcpfeature.Query{Text: ids[1][:10], Limit: 9}, ids[1] + ` of 1, lacks ""`},
		{mcpfeature.Query{Text: "nothing", Limit: 9}, ` of 0, lacks ""`},
	} {
		if got := list(t, m, test.q); got != test.want {
			t.Errorf("%+v: %s", test.q, got)
		}
	}
}

const shop = `
-- go.mod --
module example.com/shop

go 1.26
-- cart/cart.go --
package cart

type Cart struct{}

func (*Cart) Save() {}

func Carry() {}
`

// shopProject is a project that gopls serves.
func shopProject(t *testing.T) *lsp.Project {
	t.Helper()
	dir := t.TempDir()
	lsptest.Write(t, dir, shop)
	languages := lsp.Languages()
	for i := range languages {
		if languages[i].ID == "go" {
			languages[i].Command = []string{lsptest.Program(t, "gopls")}
			languages = languages[i : i+1]
			break
		}
	}
	project, err := lsp.Open(lsp.Options{Root: dir, Languages: languages, Env: os.Environ(), ReadyBudget: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := project.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return project
}

func TestSymbols(t *testing.T) {
	project := shopProject(t)
	s := &Symbols{Caller: claimed, Project: project}
	if err := project.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"Car":    `Cart Carry Cart.Save of 3, lacks ""`,
		"car":    `Cart Carry Cart.Save of 3, lacks ""`,
		"Cart.S": `Cart.Save of 1, lacks ""`,
		"Zzz":    ` of 0, lacks ""`,
		"":       ` of 0, lacks "a name has at least one letter"`,
	} {
		if got := list(t, s, mcpfeature.Query{Caller: &protocol.CallMeta{}, Text: typed, Limit: 9}); got != want {
			t.Errorf("%q: %s", typed, got)
		}
	}
	if got := list(t, s, mcpfeature.Query{Text: "Car", Limit: 1}); got != `Cart of 3, lacks ""` {
		t.Errorf("got %s", got)
	}
}

func TestNameOf(t *testing.T) {
	method := lsp.Symbol{Name: "Save", Receiver: "Cart", Package: "example.com/shop/cart"}
	for typed, want := range map[string]string{
		"sa": "Save", "cart.s": "Cart.Save", "cart.Cart": "cart.Cart.Save", "x": "", "Save.": "", strings.Repeat("s", 99): "",
	} {
		if got := nameOf(method, typed); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}

func TestReader(t *testing.T) {
	store, project := remembering(t)
	saved, err := store.Save(t.Context(), memory.Draft{Content: "Deploys go through staging.", Trust: memory.Saved})
	if err != nil {
		t.Fatal(err)
	}
	registry := tools.NewRegistry()
	open := func(context.Context) (memorytools.Memories, memory.Project, error) { return store, project, nil }
	if err := registry.Discover(&memorytools.Toolset{Open: open}); err != nil {
		t.Fatal(err)
	}
	read := func(rules []policy.Rule, id string) (string, error) {
		decided, err := policy.New(rules, false)
		if err != nil {
			t.Fatal(err)
		}
		r := &Reader{Caller: claimed, Tools: registry, Rules: policy.NewEngine(decided, nil)}
		return r.Read(t.Context(), &protocol.CallMeta{Session: "s"}, "memory_expand", map[string]any{"id": id})
	}
	if text, err := read(nil, saved.ID); err != nil || !strings.Contains(text, "   | Deploys go through staging.") {
		t.Errorf("%q, %v", text, err)
	}
	for _, id := range []string{"mem_000000000000", "", strings.Repeat("x", 99)} {
		if text, err := read(nil, id); !is[*mcpfeature.NotFoundError](err) {
			t.Errorf("%s: %q, %v", id, text, err)
		}
	}
	for _, decision := range []string{"deny", "ask"} {
		_, err := read([]policy.Rule{{Decision: decision, Tool: "mcp__tidepool__memory_expand", Reason: "private"}}, saved.ID)
		if refused, is := errors.AsType[*ruleError](err); !is || !strings.Contains(refused.Error(), "private") {
			t.Errorf("%s: %v", decision, err)
		}
	}
}
