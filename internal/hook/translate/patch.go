package translate

import (
	"path/filepath"
	"strings"
)

// An edit is what a patch of Codex does to one file.
type edit struct {
	tool     string // Write or Edit
	path     string
	old, new strings.Builder // the lines that go and those that come, with their context
}

// arguments returns those of Claude Code's tool.
func (e *edit) arguments(cwd string) map[string]any {
	path := e.path
	if !filepath.IsAbs(path) && filepath.IsAbs(cwd) {
		path = filepath.Join(cwd, path)
	}
	if e.tool == "Write" {
		return map[string]any{"file_path": path, "content": e.new.String()}
	}
	return map[string]any{"file_path": path, "old_string": e.old.String(), "new_string": e.new.String()}
}

// readPatch returns the edits of a patch in the order of its text. A file that is moved is an edit at both of its paths, one
// that is deleted an edit that leaves nothing. Lines that are no part of the format are passed over: Codex refuses such a patch.
func readPatch(patch string) (edits []*edit) {
	add := func(tool, path string) { edits = append(edits, &edit{tool: tool, path: strings.TrimSpace(path)}) }
	for line := range strings.Lines(patch) {
		line := strings.TrimRight(line, "\r\n")
		header := strings.TrimSpace(line)
		if path, is := strings.CutPrefix(header, "*** Add File:"); is {
			add("Write", path)
		} else if path, is := strings.CutPrefix(header, "*** Update File:"); is {
			add("Edit", path)
		} else if path, is := strings.CutPrefix(header, "*** Delete File:"); is {
			add("Edit", path)
		} else if path, is := strings.CutPrefix(header, "*** Move to:"); is {
			add("Edit", path)
		} else if len(edits) > 0 && line != "" {
			edits[len(edits)-1].line(line)
		}
	}
	return edits
}

// line adds a line of a hunk.
func (e *edit) line(line string) {
	rest := line[1:] + "\n"
	switch line[0] {
	case '+':
		e.new.WriteString(rest)
	case '-':
		e.old.WriteString(rest)
	case ' ':
		e.old.WriteString(rest)
		e.new.WriteString(rest)
	}
}
