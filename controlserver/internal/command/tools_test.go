package command

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/tools anew")

// The catalogue in docs/tools is what the program has. Write it anew with:
//
//	go test ./controlserver/internal/command -run TestCatalogue -update
func TestCatalogueInDocs(t *testing.T) {
	const docs = "../../../docs/tools"
	if *update {
		if err := (&Tools{Write: docs}).Run(Stdio{}); err != nil {
			t.Fatal(err)
		}
	}
	for name, tools := range map[string]*Tools{"TOOL.md": {Markdown: true}, "schema.json": {JSON: true}} {
		var got bytes.Buffer
		if err := tools.Run(Stdio{Out: &got}); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(docs + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("docs/tools/%s is not what the tools are: run this test with -update", name)
		}
	}
}

func TestTools(t *testing.T) {
	for want, tools := range map[string]*Tools{
		"\nfind_callers(name): ": {}, "## find_callers\n": {Name: "find_callers"}, "\"toolset\": \"code\"": {Name: "find_callers", JSON: true},
	} {
		var got bytes.Buffer
		if err := tools.Run(Stdio{Out: &got}); err != nil || !strings.Contains(got.String(), want) {
			t.Errorf("%+v: %v, %s", tools, err, got.String())
		}
	}
	err := (&Tools{Name: "find_caller"}).Run(Stdio{})
	if hint, is := err.(interface{ Hint() string }); !is || !strings.Contains(hint.Hint(), "find_callers") {
		t.Errorf("an unknown tool: %v", err)
	}
	if err := (&Tools{Name: "find_callers", Write: t.TempDir()}).Run(Stdio{}); err == nil {
		t.Error("one tool is written as all of them")
	}
}
