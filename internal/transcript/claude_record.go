package transcript

import (
	"errors"
	"time"
)

// errNothing says that a line is of no interest.
var errNothing = errors.New("nothing of interest")

// A claudeRecord is a line of Claude Code with its values as they stand.
type claudeRecord struct {
	kind                           string
	uuid, parent, logical          []byte
	session, at, cwd, branch, slug []byte
	agent, title                   []byte
	message, attachment, origin    []byte
	denial, promptID, result       []byte
	sidechain, meta, summary, api  bool
}

// bookkeeping reports whether a type of line speaks of no conversation. Two thirds of a transcript's bytes are such lines,
// and their type stands first, so they are not walked. A type that is not known is: it may be part of the tree of records.
func bookkeeping(kind string) bool {
	switch kind {
	case "api-request", "api-request-shape", "api-request-blob", "tools-used", "last-prompt", "queue-operation", "cost-state", "mode",
		"permission-mode", "file-history-snapshot", "worktree-state", "atis-latch", "bridge-session", "pr-link", "tag":
		return true
	}
	return false
}

// readClaude splits a line into the values that decodeClaude looks at. The type may stand behind the message.
func readClaude(line []byte) (claudeRecord, error) {
	var r claudeRecord
	err := members(line, r.set)
	switch {
	case err != nil:
		return r, err
	case bookkeeping(r.kind) || r.kind == "":
		return r, errNothing
	}
	return r, nil
}

func (r *claudeRecord) set(key, value []byte) bool {
	switch string(key) {
	case "type":
		r.kind = text(value)
		return !bookkeeping(r.kind)
	case "uuid":
		r.uuid = value
	case "parentUuid":
		r.parent = value
	case "logicalParentUuid":
		r.logical = value
	case "sessionId":
		r.session = value
	case "timestamp":
		r.at = value
	case "cwd":
		r.cwd = value
	case "gitBranch":
		r.branch = value
	case "slug":
		r.slug = value
	case "agentId":
		r.agent = value
	case "message":
		r.message = value
	case "attachment":
		r.attachment = value
	case "origin":
		r.origin = value
	case "promptId":
		r.promptID = value
	case "toolUseResult":
		r.result = value
	case "toolDenialKind":
		r.denial = value
	case "customTitle", "aiTitle", "summary", "agentName":
		r.title = value
	case "isSidechain":
		r.sidechain = isTrue(value)
	case "isMeta":
		r.meta = isTrue(value)
	case "isCompactSummary":
		r.summary = isTrue(value)
	case "isApiErrorMessage":
		r.api = isTrue(value)
	}
	return true
}

// event returns what all kinds of records say: their place in the tree, where and when.
func (r *claudeRecord) event() Event {
	e := Event{UUID: text(r.uuid), Parent: text(r.parent), At: when(r.at), Cwd: text(r.cwd), Sidechain: r.sidechain}
	if e.Parent == "" {
		// A compaction starts a new tree. The record that it goes on from may not be in the file. An attachment without a parent
		// is one that a hook added at a start, not a sign that something was rewound.
		e.Parent = text(r.logical)
		e.Root = string(r.parent) == "null" && (r.kind == "user" || r.kind == "assistant") && !r.summary
	}
	return e
}

// name adds the names that a record of what was said has. Others have them too, but need not be asked.
func (r *claudeRecord) name(e *Event) {
	e.Session, e.Branch, e.Slug, e.Agent = text(r.session), text(r.branch), text(r.slug), text(r.agent)
}

// when decodes a time of RFC 3339; the zero time if it is none.
func when(value []byte) time.Time {
	t, err := time.Parse(time.RFC3339, text(value))
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
