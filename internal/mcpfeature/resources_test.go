package mcpfeature

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/protocol"
)

// A sourceFunc is a Source.
type sourceFunc func(context.Context, Query) (Found, error)

func (f sourceFunc) List(ctx context.Context, q Query) (Found, error) { return f(ctx, q) }

// items returns a source of these, whoever asks.
func items(all ...Item) Source {
	return sourceFunc(func(_ context.Context, q Query) (Found, error) {
		return Found{Items: all[:min(len(all), q.Limit)], Total: len(all)}, nil
	})
}

func many(n int) Source {
	var all []Item
	for i := range n {
		all = append(all, Item{ID: fmt.Sprint(i), Title: "t"})
	}
	return items(all...)
}

// A readFunc is a Reader.
type readFunc func(tool string, arguments map[string]any) (string, error)

func (f readFunc) Read(_ context.Context, _ *protocol.CallMeta, tool string, arguments map[string]any) (string, error) {
	return f(tool, arguments)
}

func status(context.Context) (string, error) { return "complete\n", nil }

type listed struct {
	Resources  []resource
	NextCursor string
}

func resourcesOf(t *testing.T, s *Service, params string) (l listed) {
	t.Helper()
	if err := json.Unmarshal([]byte(request(t, s, "resources/list", params)), &l); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestTemplatesGolden(t *testing.T) {
	golden(t, "templates.golden.json", request(t, New(Options{}), "resources/templates/list", ""))
}

func TestNothingToList(t *testing.T) {
	if got := request(t, New(Options{}), "resources/list", ""); got != `{"resources":[]}` {
		t.Errorf("got %s", got)
	}
}

func TestListResources(t *testing.T) {
	at := time.Date(2026, 11, 3, 14, 0, 0, 0, time.UTC)
	s := New(Options{
		Status: status, References: items(Item{ID: "ref_a", Title: "Whole output", About: "kept at 14:03"}),
		Conversations: items(Item{ID: "a b/c", Title: "Fix <b>\n\u001b[2J\u202eit", About: "12 turns", At: at}),
	})
	var got []string
	for _, r := range resourcesOf(t, s, "{}").Resources {
		got = append(got, fmt.Sprintf("%s|%s|%s", r.URI, r.Name, r.Description))
	}
	want := []string{
		"tidepool://status|status|The daemon, its language servers and what answers are worth now.",
		"tidepool://ref/ref_a|ref ref_a|Whole output (kept at 14:03)",
		"tidepool://conversation/a%20b%2Fc|conversation a b/c|Fix ‹b› ␛[2J\ufffdit (12 turns)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// A list that lacks something says so where there is room for it.
func TestListSaysWhatItLacks(t *testing.T) {
	s := New(Options{
		Status: status, Conversations: many(mostOfKind + 2),
		Memories: sourceFunc(func(context.Context, Query) (Found, error) { return Found{}, errors.New("recall is <off>") }),
	})
	all := resourcesOf(t, s, "{}").Resources
	if want := "Not listed here: conversation (2 older ones); memory (recall is ‹off›)."; len(all) != 1+mostOfKind || !strings.HasSuffix(all[0].Description, want) {
		t.Errorf("%d: %s", len(all), all[0].Description)
	}
}

// A source that hangs costs the list its own entries only.
func TestListIsLate(t *testing.T) { synctest.Test(t, testListIsLate) }

func testListIsLate(t *testing.T) {
	hanging := sourceFunc(func(ctx context.Context, _ Query) (Found, error) {
		<-ctx.Done()
		return Found{}, context.Cause(ctx)
	})
	s := New(Options{Status: status, Conversations: many(1), Memories: hanging})
	all := resourcesOf(t, s, "{}").Resources
	if len(all) != 2 || !strings.Contains(all[0].Description, "memory (context deadline exceeded)") {
		t.Errorf("got %+v", all)
	}
}

func TestPages(t *testing.T) {
	s := New(Options{References: many(50), Conversations: many(50), Memories: many(50)})
	first := resourcesOf(t, s, "{}")
	if len(first.Resources) != pageSize || first.NextCursor == "" {
		t.Fatalf("%d, then %q", len(first.Resources), first.NextCursor)
	}
	second := resourcesOf(t, s, `{"cursor":"`+first.NextCursor+`"}`)
	if len(second.Resources) != 50 || second.NextCursor != "" || second.Resources[0].URI != "tidepool://memory/0" {
		t.Errorf("%d, then %q", len(second.Resources), second.NextCursor)
	}
	// The list may have become shorter.
	if got := request(t, New(Options{}), "resources/list", `{"cursor":"`+first.NextCursor+`"}`); got != `{"resources":[]}` {
		t.Errorf("got %s", got)
	}
	for _, bad := range []string{"x", "!!", "YWZ0ZXI6MA", "YWZ0ZXI6LTE", "YWZ0ZXI6MDE", cursor(1) + "="} {
		if got := refused(t, s, "resources/list", `{"cursor":"`+bad+`"}`); !strings.Contains(got, "is no cursor of this list") {
			t.Errorf("%s: %s", bad, got)
		}
	}
}

func TestReadResource(t *testing.T) {
	s := New(Options{Status: status, Reader: readFunc(func(tool string, arguments map[string]any) (string, error) {
		text, err := json.Marshal(arguments)
		return tool + string(text), err
	})})
	for uri, want := range map[string]string{
		"tidepool://status":                       "complete\n",
		"tidepool://work":                         `exo_status{}`,
		"tidepool://ref/ref_a":                    `ref_content{"ref":"ref_a"}`,
		"tidepool://ref/ref_a?grep=a%20b&head=3":  `ref_content{"grep":"a b","head":3,"ref":"ref_a"}`,
		"tidepool://conversation/s":               `read_conversation{"session_id":"s"}`,
		"tidepool://conversation/s%2Ft?offset=-3": `read_conversation{"offset":-3,"session_id":"s/t"}`,
		"tidepool://conversation/s/2?from=7":      `read_turn{"from":7,"session_id":"s","turn_number":2}`,
		"tidepool://memory/mem_1":                 `memory_expand{"id":"mem_1"}`,
	} {
		got := request(t, s, "resources/read", `{"uri":"`+uri+`"}`)
		text, err := encode(want)
		if err != nil {
			t.Fatal(err)
		}
		if got != `{"contents":[{"uri":"`+uri+`","mimeType":"text/plain","text":`+string(text)+`}]}` {
			t.Errorf("%s: %s", uri, got)
		}
	}
}

func TestReadNothing(t *testing.T) {
	s := New(Options{Reader: readFunc(func(string, map[string]any) (string, error) {
		return "", &NotFoundError{errors.New("no such session")}
	})})
	for uri, want := range map[string]string{
		"":                                "it is no URI of tidepool",
		"file:///etc/passwd":              "it is no URI of tidepool",
		"tidepool://user@status":          "it is no URI of tidepool",
		"tidepool://status#x":             "it is no URI of tidepool",
		"tidepool:status":                 "it is no URI of tidepool",
		"tidepool://%zz":                  "it is no URI of tidepool",
		"tidepool://status":               "this daemon does not have it",
		"tidepool://status/x":             "there is nothing of that form: use tidepool://status, tidepool://work, tidepool://ref/{ref}",
		"tidepool://memory":               "there is nothing of that form",
		"tidepool://memory/a/b":           "there is nothing of that form",
		"tidepool://memory/a?lines=1":     "its query may have each of these once",
		"tidepool://ref/a?head=1&head=2":  "its query may have each of these once: lines, head, tail, grep",
		"tidepool://ref/a?head=x":         "head is a number",
		"tidepool://conversation/s/x":     "turn_number is a number",
		"tidepool://conversation/s":       "no such session",
		"tidepool://ref/../../etc/passwd": "there is nothing of that form",
	} {
		_, err := s.Request(t.Context(), &protocol.MCPRequest{Method: "resources/read", Params: json.RawMessage(`{"uri":"` + uri + `"}`)})
		wire, is := errors.AsType[*protocol.Error](err)
		if !is || wire.Code != protocol.CodeInvalidParams || !strings.Contains(wire.Message, want) || string(wire.Data) != `{"uri":"`+uri+`"}` {
			t.Errorf("%s: %v, want %s", uri, err, want)
		}
	}
}

// What fails is no answer that there is no such resource.
func TestReadFails(t *testing.T) {
	s := New(Options{Reader: readFunc(func(string, map[string]any) (string, error) { return "", errors.New("disk full") })})
	_, err := s.Request(t.Context(), &protocol.MCPRequest{Method: "resources/read", Params: json.RawMessage(`{"uri":"tidepool://work"}`)})
	if _, is := errors.AsType[*protocol.Error](err); is || err == nil || err.Error() != "disk full" {
		t.Errorf("got %v", err)
	}
}
