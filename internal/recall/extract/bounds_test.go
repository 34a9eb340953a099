package extract_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"tidepool/internal/recall/extract"
)

func TestConversationsAreBounded(t *testing.T) {
	var all extract.Conversations
	first, _ := all.Of(extract.Key{Session: "0"})
	for i := range 64 {
		all.Of(extract.Key{Session: fmt.Sprint(i), Agent: "a"})
		if again, known := all.Of(extract.Key{Session: "0"}); !known || again != first {
			t.Fatal("a conversation that is in use was given up")
		}
	}
	if _, known := all.Of(extract.Key{Session: "0", Agent: "a"}); known {
		t.Error("the 65th conversation did not give up the one that was used longest ago")
	}
	all.End("0")
	for _, agent := range []string{"", "a"} {
		if _, known := all.Of(extract.Key{Session: "0", Agent: agent}); known {
			t.Errorf("agent %q of a session that has ended is known", agent)
		}
	}
}

// A conversation of hundreds of different commands, files and commits keeps at most 200 KB.
func TestAConversationIsBounded(t *testing.T) {
	c := conversation(t, "")
	size := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	long := strings.Repeat("x", 10_000)
	var before uint64
	for i := range 90 {
		if i == 20 { // expressions have the room that they work in
			before = size()
			c = conversation(t, "")
		}
		c.Prompt(fmt.Sprintf("prompt %d %s", i, long), now())
		c.Tool(bash(fmt.Sprintf("deploy %d %s", i, long), 1, "error: "+long))
		c.Tool(bash(fmt.Sprintf("tool%d -a %s", i, long[:400]), 1, "error: "+long))
		c.Tool(edit(fmt.Sprintf("%d/%s", i, long)))
		c.Tool(bash("git commit -m x", 0, fmt.Sprintf("[main %07x] %s\n", i, long)))
	}
	if got := c.Summary(); len(got) != 0 { // the last commit returned it
		t.Errorf("%d summaries", len(got))
	}
	if after := size(); after > before+200<<10 {
		t.Errorf("%d KB are kept", (after-before)>>10)
	}
	runtime.KeepAlive(c)
}

// Hooks of one conversation may come at the same time.
func TestConversationIsSafeForConcurrentUse(t *testing.T) {
	var all extract.Conversations
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 50 {
				c, _ := all.Of(extract.Key{Session: fmt.Sprint(j % 3)})
				c.Prompt("Always use pnpm in web.", now())
				c.Tool(bash("go test ./queue", (i+j)%2, drainFails))
				c.Tool(edit("a.go"))
				c.Summary()
				c.Resume("Goal: x")
			}
		})
	}
	group.Wait()
}

// What is private in an output is not kept, even if the tag stands before the part of the output that is read.
func TestPrivateOutputIsNotKept(t *testing.T) {
	for _, before := range []string{"", strings.Repeat("x", 2<<20)} {
		c := conversation(t, "")
		c.Tool(bash("./release.sh", 1, "<private>"+before+"\nerror: the key is falcon\n</private>\nerror: no version\n"))
		c.Tool(edit("release.sh"))
		got := c.Tool(bash("./release.sh", 0, ""))
		if len(got) != 1 || strings.Contains(got[0].Content, "falcon") || !strings.Contains(got[0].Content, "no version") {
			t.Errorf("kept %+v", got)
		}
	}
}
