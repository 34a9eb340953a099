package transcript

import (
	"path"
	"strconv"
	"strings"
)

// codex reads the rollout files of Codex, from its public sources (openai/codex, codex-rs/rollout and codex-rs/protocol), not
// from a recorded session. A rollout is a list without a tree: rewinding is a line that counts the prompts taken back. Rollouts
// that Codex has archived or compressed are not read.
func codex() Source {
	return Source{Name: "codex", Root: codexRoot, Dir: codexDir, File: codexFile, decode: decodeCodex}
}

func codexRoot(home string, getenv func(string) string) string {
	dir := getenv("CODEX_HOME")
	if dir == "" {
		dir = path.Join(home, ".codex")
	}
	return path.Join(dir, "sessions")
}

func codexDir(rel string) bool { return strings.Count(rel, "/") < 3 }

// codexFile knows YYYY/MM/DD/rollout-<time>-<uuid>.jsonl. The session is the UUID, by which Codex resumes it.
func codexFile(rel string) (File, bool) {
	dir, name := path.Split(rel)
	stem, ok := strings.CutSuffix(name, ".jsonl")
	if !ok || !strings.HasPrefix(stem, "rollout-") || strings.Count(dir, "/") != 3 {
		return File{}, false
	}
	return File{Session: stem[max(len("rollout-"), len(stem)-36):], Group: strings.TrimSuffix(dir, "/")}, true
}

// A codexLine is a line of a rollout: when, what kind, and a payload of its own kind.
type codexLine struct {
	kind    string
	at      []byte
	payload map[string][]byte
}

func decodeCodex(line []byte) (Event, error) {
	var l codexLine
	err := members(line, func(key, value []byte) bool {
		switch string(key) {
		case "type":
			l.kind = text(value)
		case "timestamp":
			l.at = value
		case "payload":
			l.payload = codexPayload(value)
		}
		return true
	})
	if err != nil {
		return Event{}, err
	}
	e := Event{At: when(l.at)}
	switch l.kind {
	case "session_meta":
		l.meta(&e)
		return e, nil
	case "event_msg":
		l.event(&e)
	case "response_item":
		l.item(&e)
	}
	if !e.Spoken() {
		return Event{}, errNothing
	}
	return e, nil
}

func codexPayload(value []byte) map[string][]byte {
	payload := map[string][]byte{}
	_ = members(value, func(key, value []byte) bool {
		payload[string(key)] = value
		return true
	})
	return payload
}

func (l *codexLine) text(key string) string { return text(l.payload[key]) }

func (l *codexLine) meta(e *Event) {
	e.Session, e.Cwd, e.ForkedFrom = l.text("id"), l.text("cwd"), l.text("forked_from_id")
	first(&e.ForkedFrom, l.text("parent_thread_id"))
	e.Branch = text(codexPayload(l.payload["git"])["branch"])
}

// event reads what a person has said. Recent versions write a prompt as a completed item, former ones as a message, some as both.
func (l *codexLine) event(e *Event) {
	switch l.text("type") {
	case "user_message":
		e.setPrompt([]string{codexRequest(l.text("message"))}, false)
	case "item_completed":
		item := codexPayload(l.payload["item"])
		if text(item["type"]) != "UserMessage" {
			return
		}
		var blocks []string
		elements(item["content"], func(data []byte) {
			if b := readBlock(data); b.kind == "text" {
				blocks = append(blocks, codexRequest(text(b.text)))
			}
		})
		e.setPrompt(blocks, len(blocks) == 0)
	case "thread_rolled_back":
		e.Undone, _ = strconv.Atoi(string(l.payload["num_turns"]))
	}
}

// codexRequest returns what a person asked for, without the context that an editor put before it.
func codexRequest(s string) string {
	if _, request, ok := strings.Cut(s, "## My request for Codex:"); ok && strings.HasPrefix(s, "# Context from my IDE setup:") {
		return strings.TrimSpace(request)
	}
	return s
}

// item reads what the model has said and called. The user's messages among the items are what the model got, with context
// that Codex added.
func (l *codexLine) item(e *Event) {
	switch l.text("type") {
	case "message":
		if l.text("role") != "assistant" {
			return
		}
		e.Message = l.text("id")
		elements(l.payload["content"], func(data []byte) {
			if b := readBlock(data); b.kind == "output_text" {
				e.addText(text(b.text))
			}
		})
	case "function_call":
		e.Calls = []Call{{ID: l.text("call_id"), Tool: readCodexTool(l.text("name"), []byte(l.text("arguments")))}}
	case "custom_tool_call":
		e.Calls = []Call{{ID: l.text("call_id"), Tool: Tool{Name: clip(l.text("name"), maxName), File: patched(l.text("input"))}}}
	case "local_shell_call":
		action := codexPayload(l.payload["action"])
		e.Calls = []Call{{ID: l.text("call_id"), Tool: Tool{Name: "shell", Command: words(action["command"])}}}
	}
}

// readCodexTool reads the arguments of a call, which stand as JSON in a string.
func readCodexTool(name string, arguments []byte) Tool {
	t := readTool(name, arguments)
	_ = members(arguments, func(key, value []byte) bool {
		switch string(key) {
		case "cmd", "command":
			t.Command = words(value)
		}
		return true
	})
	return t
}

// words returns a command line: a string, or the words of an array with a space between them.
func words(value []byte) string {
	if isText(value) {
		return text(value)
	}
	var all []string
	elements(value, func(word []byte) { all = append(all, text(word)) })
	return strings.Join(all, " ")
}

// patched returns the first file that a patch of Codex's own form names.
func patched(patch string) string {
	for line := range strings.Lines(patch) {
		for _, verb := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: "} {
			if name, ok := strings.CutPrefix(line, verb); ok {
				return strings.Clone(strings.TrimSpace(name))
			}
		}
	}
	return ""
}
