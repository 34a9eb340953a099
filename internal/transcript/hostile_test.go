package transcript

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hostileLine returns the length of the lines of these tests, in bytes. The race detector makes each byte cost ten times as much.
func hostileLine() int {
	if raceDetector {
		return 4 << 20
	}
	return 8 << 20
}

// hostileLines returns lines that no program writes, by what they try. Each is decoded or counted; none may cost more than its length.
func hostileLines() map[string]func(n int) string {
	fill := func(unit, format string) func(int) string {
		return func(n int) string {
			return fmt.Sprintf(format, n, strings.TrimSuffix(strings.Repeat(unit, hostileLine()/len(unit)), ","))
		}
	}
	const prompt = `"message":{"role":"user","content":"go on"}`
	return map[string]func(int) string{
		"NULs":              fill("\x00", "%d%s"),
		"open brackets":     fill("[", `{"type":"user","uuid":"%d","message":%s`),
		"nested arrays":     func(int) string { return strings.Repeat("[", hostileLine()/2) + strings.Repeat("]", hostileLine()/2) },
		"backslashes":       fill(`\\`, `{"type":"user","uuid":"%d","message":{"role":"user","content":"%s"}}`),
		"quotes":            fill(`\"`, `{"type":"user","uuid":"%d","message":{"role":"user","content":"%s"}}`),
		"half characters":   fill(`\ud800`, `{"type":"user","uuid":"%d","message":{"role":"user","content":"%s"}}`),
		"invalid UTF-8":     fill("\xff\xc3", `{"type":"user","uuid":"%d","message":{"role":"user","content":"%s"}}`),
		"a long UUID":       fill("a", `{"type":"user","uuid":"%d%s",`+prompt+`}`),
		"a long parent":     fill("a", `{"type":"user","parentUuid":"%d%s",`+prompt+`}`),
		"a long session":    fill("a", `{"type":"user","sessionId":"%d%s",`+prompt+`}`),
		"a long directory":  fill("a/", `{"type":"user","cwd":"/%d%s",`+prompt+`}`),
		"a long branch":     fill("a", `{"type":"user","gitBranch":"%d%s",`+prompt+`}`),
		"a long agent":      fill("a", `{"type":"user","agentId":"%d%s",`+prompt+`}`),
		"a long slug":       fill("a", `{"type":"user","slug":"%d%s",`+prompt+`}`),
		"a long time":       fill("1", `{"type":"user","timestamp":"%d%s",`+prompt+`}`),
		"a long title":      fill("a", `{"type":"custom-title","customTitle":"%d%s"}`),
		"a long message id": fill("a", `{"type":"assistant","message":{"id":"%d%s","content":[{"type":"text","text":"yes"}]}}`),
		"a long call id":    fill("a", `{"type":"assistant","message":{"id":"%d","content":[{"type":"tool_use","id":"%s","name":"Bash"}]}}`),
		"a long failure":    fill("a", `{"type":"user","uuid":"%d","message":{"content":[{"type":"tool_result","is_error":true,"content":"%s"}]}}`),
		"many texts":        fill(`{"type":"text","text":"a"},`, `{"type":"assistant","message":{"id":"%d","content":[%s]}}`),
		"many unlike texts": manyTexts,
		"many calls":        fill(`{"type":"tool_use","name":"Bash"},`, `{"type":"assistant","message":{"id":"%d","content":[%s]}}`),
		"many prompts":      fill(`{"type":"text","text":"a"},`, `{"type":"user","uuid":"%d","message":{"content":[%s]}}`),
		"many elements":     fill(`<ide_a></ide_a>`, `{"type":"user","uuid":"%d","message":{"role":"user","content":"%sx"}}`),
		"many behind":       fill(`<ide_a></ide_a>`, `{"type":"user","uuid":"%d","message":{"role":"user","content":"x%s"}}`),
		"many ends":         fill(`</ide_a>`, `{"type":"user","uuid":"%d","message":{"role":"user","content":"x%s"}}`),
		"many memories":     fill(`a<memory-data></memory-data>`, `{"type":"user","uuid":"%d","message":{"role":"user","content":"x%s"}}`),
		"many keys":         fill(`"a":1,`, `{"type":"user","uuid":"%d",%s}`),
		"many messages":     fill(`"message":{},`, `{"type":"user","uuid":"%d",%s}`),
	}
}

// manyTexts returns a message of texts none of which begins another one.
func manyTexts(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"type":"assistant","message":{"id":"%d","content":[`, n)
	for i := 0; b.Len() < hostileLine(); i++ {
		fmt.Fprintf(&b, `{"type":"text","text":"%08d"},`, i)
	}
	return strings.TrimSuffix(b.String(), ",") + "]}}"
}

// A hostile file costs time in proportion to its length, and the memory of its turns only.
func TestHostileLines(t *testing.T) {
	const lines = 2
	length := hostileLine()
	for name, line := range hostileLines() {
		t.Run(name, func(t *testing.T) {
			r := NewReader(claude(), "s")
			r.Line(0, []byte(`{"type":"user","uuid":"first","message":{"role":"user","content":"begin"}}`))
			r.Take()
			before, start := heap(), processorTime(t)
			for i := range lines {
				r.Line(int64(i), []byte(line(i)))
			}
			r.Take()
			if spent := processorTime(t) - start; spent > 20*time.Second*time.Duration(length)/(8<<20) {
				t.Errorf("%d MB took %v", lines*length>>20, spent)
			}
			if grown := heap() - before; grown > length*3/4 {
				t.Errorf("%d KB stay in memory", grown>>10)
			}
			runtime.KeepAlive(r)
		})
	}
}

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
