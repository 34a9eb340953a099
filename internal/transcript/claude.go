package transcript

import (
	"path"
	"strings"
)

// claude reads the transcripts of Claude Code, as recorded from its version 2.1.328.
func claude() Source {
	return Source{Name: "claude", ByProject: true, Root: claudeRoot, Dir: claudeDir, File: claudeFile, decode: decodeClaude}
}

func claudeRoot(home string, getenv func(string) string) string {
	dir := getenv("CLAUDE_CONFIG_DIR")
	if dir == "" {
		dir = path.Join(home, ".claude")
	}
	return path.Join(dir, "projects")
}

// claudeDir knows the directories of claudeFile.
func claudeDir(rel string) bool {
	parts := strings.Split(rel, "/")
	return len(parts) <= 5 && (len(parts) < 3 || parts[2] == "subagents") && (len(parts) < 4 || parts[3] == "workflows")
}

// claudeFile knows <slug>/<session>.jsonl, <slug>/agent-<id>.jsonl of former versions, and below <slug>/<session>/subagents/
// agent-<id>.jsonl and workflows/<id>/agent-<id>.jsonl.
func claudeFile(rel string) (File, bool) {
	parts := strings.Split(rel, "/")
	stem, ok := strings.CutSuffix(parts[len(parts)-1], ".jsonl")
	agent := strings.HasPrefix(stem, "agent-")
	switch {
	case !ok || stem == "":
		return File{}, false
	case len(parts) == 2:
		return File{Session: stem, Sidechain: agent, Group: parts[0]}, true
	case len(parts) == 4 && agent && parts[2] == "subagents",
		len(parts) == 6 && agent && parts[2] == "subagents" && parts[3] == "workflows":
		return File{Session: stem, Parent: parts[1], Sidechain: true, Group: parts[0]}, true
	}
	return File{}, false
}

// decodeClaude returns what a line says: a prompt, an answer, failures of tools, a title, or only its place in the tree.
func decodeClaude(line []byte) (Event, error) {
	r, err := readClaude(line)
	if err != nil {
		return Event{}, err
	}
	e := r.event()
	switch r.kind {
	case "user":
		r.user(&e)
	case "assistant":
		r.assistant(&e)
	case "attachment":
		r.queued(&e)
	case "custom-title", "ai-title", "summary", "agent-name":
		e.Title, e.TitleRank = text(r.title), claudeTitle(r.kind)
	}
	if r.kind == "user" || e.Spoken() {
		r.name(&e)
	}
	if e.UUID == "" && e.Title == "" && !e.Spoken() {
		return Event{}, errNothing
	}
	return e, nil
}

func claudeTitle(kind string) TitleRank {
	switch kind {
	case "custom-title":
		return UserTitle
	case "ai-title":
		return ModelTitle
	case "summary":
		return SummaryTitle
	}
	return AgentTitle
}

// user reads a prompt, or the results of tools.
func (r *claudeRecord) user(e *Event) {
	var blocks []string
	images := false
	_ = members(r.message, func(key, value []byte) bool {
		if string(key) == "content" {
			blocks, images = userContent(value, e)
		}
		return true
	})
	if kind := text(r.denial); kind != "" && kind != "user-rejected" {
		for i := range e.Failures {
			e.Failures[i].Error = "denied (" + kind + ")" // the reason is a hook's text
		}
	}
	if r.meta || r.summary || !human(r.origin) {
		return
	}
	e.setPrompt(blocks, images)
}

// queued reads a prompt that its user typed while the model worked. Other attachments are context that Claude Code added.
func (r *claudeRecord) queued(e *Event) {
	var kind, mode string
	var prompt, origin []byte
	meta := r.meta
	_ = members(r.attachment, func(key, value []byte) bool {
		switch string(key) {
		case "type":
			kind = text(value)
		case "commandMode":
			mode = text(value)
		case "prompt":
			prompt = value
		case "origin":
			origin = value
		case "isMeta":
			meta = meta || isTrue(value)
		}
		return kind == "" || kind == "queued_command"
	})
	if kind == "queued_command" && !meta && (mode == "" || mode == "prompt") && human(origin) && human(r.origin) {
		e.setPrompt(userContent(prompt, e))
	}
}

// human reports whether an origin may be a person; one that is not given may. Claude Code puts messages of its own machinery
// where a person's prompts stand.
func human(origin []byte) bool {
	var kind string
	_ = members(origin, func(key, value []byte) bool {
		if string(key) == "kind" {
			kind = text(value)
		}
		return true
	})
	switch kind {
	case "task-notification", "auto-continuation", "peer", "coordinator", "hook":
		return false
	}
	return true
}

// userContent returns the text blocks of a user's record, and whether it has images. Failures of tools go into the event.
func userContent(content []byte, e *Event) (blocks []string, images bool) {
	if isText(content) {
		return []string{text(content)}, false
	}
	elements(content, func(block []byte) {
		b := readBlock(block)
		switch b.kind {
		case "text":
			blocks = append(blocks, text(b.text))
		case "image":
			images = true
		case "tool_result":
			if b.failed {
				e.Failures = append(e.Failures, Failure{Call: text(b.call), Error: firstLine(b.content)})
			}
		}
	})
	return blocks, images
}

// assistant reads the blocks of an answer. Thinking is passed over.
func (r *claudeRecord) assistant(e *Event) {
	var content, model []byte
	_ = members(r.message, func(key, value []byte) bool {
		switch string(key) {
		case "id":
			e.Message = text(value)
		case "model":
			model = value
		case "content":
			content = value
		}
		return true
	})
	// A message that Claude Code made up is no answer, unless it says why there is none.
	made := text(model) == "<synthetic>" && !r.api
	if isText(content) && !made && !r.meta {
		e.addText(text(content))
	}
	elements(content, func(block []byte) {
		b := readBlock(block)
		switch {
		case b.kind == "text" && !made && !r.meta:
			e.addText(text(b.text))
		case b.kind == "tool_use" || b.kind == "server_tool_use":
			e.Calls = append(e.Calls, Call{ID: text(b.id), Tool: readTool(text(b.name), b.input)})
		}
	})
}
