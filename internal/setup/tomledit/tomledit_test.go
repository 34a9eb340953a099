package tomledit

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var (
	name   = []string{"mcp_servers", "tidepool"}
	values = []Value{{"command", "/opt/it's here/agent"}, {"args", []string{"mcp"}}}
)

func TestAddAndRemove(t *testing.T) {
	const table = "[mcp_servers.tidepool]\ncommand = \"/opt/it's here/agent\"\nargs = ['mcp']\n"
	for _, before := range []string{"", "# mine\n", "a = 1 # one\n", "[mcp_servers]\n", "[mcp_servers.other]\ncommand = \"x\"\n\n", "[[a]]\nb=1\n"} {
		after, err := Add([]byte(before), values, name...)
		if err != nil {
			t.Fatalf("%q: %v", before, err)
		}
		want := before + "\n" + table
		if before == "" {
			want = table
		}
		if string(after) != want {
			t.Errorf("%q becomes\n%s\nwant\n%s", before, after, want)
		}
		if back, err := Remove(after, name...); string(back) != before || err != nil {
			t.Errorf("%q comes back as %q, %v", before, back, err)
		}
	}
}

// What was added by hand within or below the table goes with it; what stands around it stays.
func TestRemoveOwnTablesOnly(t *testing.T) {
	const text = `model = "x"

# about it
[mcp_servers.tidepool] # ours
command = "agent"
# why
args = [
  "mcp", # the subcommand
]
# about the next

[mcp_servers.tidepool.env]
A = "1"

[mcp_servers.other]
command = "y"

[mcp_servers.tidepool.tools.scout]
approval_mode = "approve"
`
	const want = `model = "x"

# about it
# about the next

[mcp_servers.other]
command = "y"
`
	if got, err := Remove([]byte(text), name...); string(got) != want || err != nil {
		t.Errorf("got %v\n%s", err, got)
	}
}

func TestFind(t *testing.T) {
	for text, line := range map[string]int{
		"\n[mcp_servers.tidepool]\ncommand='agent'":           2,
		"[ mcp_servers . \"tidepool\" ]\ncommand='agent'":     1,
		"mcp_servers.tidepool.command='agent'":                0,
		"mcp_servers = {tidepool={command='agent'}}":          0,
		"[mcp_servers]\ntidepool = { command = 'agent' }":     0,
		"[mcp_servers]\ntidepool.command = 'agent' # dotted ": 0,
	} {
		found, err := Find([]byte(text), name...)
		if err != nil || found == nil || found.Values["command"] != "agent" || found.Line != line {
			t.Errorf("%q: %+v, %v", text, found, err)
		}
	}
	if found, err := Find([]byte("[mcp_servers.other]\n"), name...); found != nil || err != nil {
		t.Errorf("found %+v, %v", found, err)
	}
}

func TestSetString(t *testing.T) {
	const text = "[mcp_servers.tidepool]\ncommand = '/old' # where\nargs = [\"mcp\"]\n"
	got, err := SetString([]byte(text), "command", "/new", name...)
	if want := strings.Replace(text, "'/old'", "'/new'", 1); string(got) != want || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// A change that would mean something else, or that TOML does not allow there, is refused.
func TestRefused(t *testing.T) {
	for _, text := range []string{"a = 1\na = 2\n", "mcp_servers = 1\n", "mcp_servers = {}\n", "[mcp_servers]\ntidepool = {}\n", "no", "a = " + strings.Repeat("[", 1<<20)} {
		if got, err := Add([]byte(text), values, name...); err == nil {
			t.Errorf("%.40q becomes %.80q", text, got)
		}
	}
	for _, text := range []string{"mcp_servers.tidepool.command='agent'", "[mcp_servers]\ntidepool = { command = 'agent' }"} {
		if got, err := Remove([]byte(text), name...); err == nil && string(got) != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func TestErrorsHaveLines(t *testing.T) {
	_, err := Find([]byte("a = 1\n\nb == 2\n"), name...)
	if wrong, is := err.(*Error); !is || wrong.Line != 3 {
		t.Errorf("%v", err)
	}
}

// draw returns TOML with comments, in an untidy layout.
func draw(t *rapid.T) string {
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
	lines := []string{"", "  ", "# a comment", "#[mcp_servers.tidepool]"}
	keys := []string{"model = \"x\" # why", "list = [ 1,", "date = 1979-05-27T07:32:00Z", "\"odd key\" = '''\n[mcp_servers.tidepool]\n'''", "deep.er = { a = 1 }"}
	tables := []string{"[mcp_servers.other]", "[features] # mine", "  [profiles.fast]", "[mcp_servers.tidepool2]", "[[skills]]", "[[skills]]"}
	var b strings.Builder
	section := func() {
		for _, key := range rapid.SliceOfDistinct(rapid.SampledFrom(keys), rapid.ID).Draw(t, "keys") {
			b.WriteString(rapid.SampledFrom(lines).Draw(t, "line") + eol + key + eol)
			if strings.HasSuffix(key, ",") {
				b.WriteString("  2, # two" + eol + "]" + eol)
			}
		}
	}
	section()
	for _, i := range rapid.SliceOfDistinct(rapid.IntRange(0, len(tables)-1), rapid.ID).Draw(t, "tables") {
		b.WriteString(tables[i] + eol)
		section()
	}
	return b.String()
}

func TestPropertyRemoveUndoesAdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := []byte(draw(t))
		after, err := Add(before, values, name...)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(after, before) {
			t.Fatalf("what was there has changed:\n%s", after)
		}
		const more = "\n[later]\nk = 1\n"
		for _, tail := range []string{"", more} {
			back, err := Remove(append(bytes.Clone(after), tail...), name...)
			if err != nil || string(back) != string(before)+tail {
				t.Fatalf("%v\n%q\n%q", err, before, back)
			}
		}
	})
}

// Whatever a text holds, it is refused or changed into one that Remove changes back to the same meaning.
func FuzzAdd(f *testing.F) {
	f.Add([]byte("[mcp_servers]\n"))
	f.Add([]byte("a.b = 1 # x"))
	f.Add([]byte("[[mcp_servers.tidepool]]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		found, err := Find(text, name...)
		if err != nil || found != nil {
			return
		}
		after, err := Add(text, values, name...)
		if err != nil {
			return
		}
		if _, err := Remove(after, name...); err != nil {
			t.Errorf("%q: %v", after, err)
		}
	})
}
