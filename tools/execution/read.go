package execution

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"tidepool/internal/protected"
	"tidepool/internal/ref"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// SafeReadInput is what safe_read takes.
type SafeReadInput struct {
	Path      string `json:"path" jsonschema:"minLength=1,maxLength=4096" jsonschema_description:"The file, absolute or relative to your directory."`
	Offset    int    `json:"offset,omitempty" jsonschema:"minimum=1,default=1" jsonschema_description:"The first line, from 1."`
	Limit     int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=2000,default=200" jsonschema_description:"How many lines."`
	Grep      string `json:"grep,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"Go regular expression: only lines that it matches, of the whole file."`
	Keep      bool   `json:"keep,omitempty" jsonschema_description:"Keep the whole file as a reference, for ref_content."`
	SessionID string `json:"session_id,omitempty" jsonschema:"maxLength=128" jsonschema_description:"Only for clients without hooks."`
}

// SafeReadOutput is what safe_read returns.
type SafeReadOutput struct {
	Summary        string         `json:"summary"`
	ContentPreview string         `json:"content_preview"`       // lines with their numbers
	ContentRef     string         `json:"content_ref,omitempty"` // of the whole file, if it was to be kept
	TotalLines     int            `json:"total_lines"`
	TokensUsed     int            `json:"tokens_used"` // about, of the text
	Hash           string         `json:"hash"`        // for safe_write's expect
	Matches        int            `json:"matches,omitempty"`
	Left           int            `json:"left,omitempty"`    // lines, or with grep matches, that were asked for and did not fit
	Secrets        map[string]int `json:"secrets,omitempty"` // that were replaced, by name of the rule
	Notes          []string       `json:"notes,omitempty"`   // what is missing, and why

	text string
}

// SafeRead reads lines of a file of the project.
func (t *Toolset) SafeRead(ctx context.Context, call tools.Call, in SafeReadInput) (*SafeReadOutput, error) {
	u, err := t.begin(ctx, call, in.SessionID, in.Path)
	if err != nil {
		return nil, err
	}
	input := maps.Clone(u.entry.Secrets)
	path, data, err := t.read(ctx, u, in.Path)
	if err != nil {
		return nil, u.refused(err)
	}
	text := u.scrub(string(data))
	slice, err := ref.Cut(text, in.request())
	if err != nil {
		return nil, u.refused(err)
	}
	u.hash(slice.Text)
	u.entry.Bytes = int64(len(data))
	out := &SafeReadOutput{
		ContentPreview: slice.Text, TotalLines: slice.Lines, Hash: t.hashOf(data), Matches: slice.Matches, Left: slice.Left, Secrets: u.shown(input),
		Summary: fmt.Sprintf("Read %s from %s", wording.Count(slice.Shown, "line"), shownPath(path)),
	}
	out.Notes = notesOf(slice)
	if hidden := ref.Lines(string(data)) - slice.Lines; hidden > 0 {
		out.Notes = append(out.Notes, count(hidden, "line")+" of secrets left out: the numbers of lines behind them are lower than in the file")
	}
	if in.Keep && len(text) > shortText {
		out.keep(u, text)
	}
	if err := u.end(); err != nil {
		out.Notes = append(out.Notes, err.Error())
	}
	out.text = out.render(shownPath(path), slice, in)
	out.TokensUsed = tokensOf(out.text)
	return out, nil
}

// shortText is the size, in bytes, up to which a text is a preview of itself.
const shortText = 500

// keep keeps the whole file. That it cannot is a note.
func (o *SafeReadOutput) keep(u *use, text string) {
	var err error
	if o.ContentRef, err = u.Refs.Put(u.session, []byte(text)); err != nil {
		o.Notes = append(o.Notes, fmt.Sprintf("the file is not kept: %v", err))
	}
}

// request returns the part of the file that is asked for.
func (in SafeReadInput) request() ref.Request {
	if in.Grep != "" {
		return ref.Request{Grep: in.Grep}
	}
	return ref.Request{Lines: fmt.Sprintf("%d-%d", in.Offset, in.Offset+in.Limit-1)}
}

// read returns the content of a file that may be read, and its path below the project.
func (t *Toolset) read(ctx context.Context, u *use, path string) (string, []byte, error) {
	rel, err := t.below(u.call.Caller.Dir, path)
	if err != nil {
		return "", nil, err
	}
	if why := protected.Read(rel); why != "" {
		return "", nil, &refusedError{"reading " + shownPath(rel) + " is refused: " + why, "ask the user for what you need of it"}
	}
	file := filepath.Join(t.Root, filepath.FromSlash(rel))
	if _, err := t.permit(ctx, u, "Read", "Read "+file, map[string]any{"file_path": file}); err != nil {
		return "", nil, err
	}
	dir, err := openAt(t.Root, rel, false)
	if err != nil {
		return "", nil, err
	}
	defer dir.Close()
	data, _, err := readFile(dir, filepath.Base(file), rel)
	if err == nil && isBinary(data) {
		err = &refusedError{fmt.Sprintf("%s is a binary file of %s", shownPath(rel), size(len(data))), "look at it with safe_bash: file, xxd, strings"}
	}
	return rel, data, err
}

// notesOf says what a slice lacks.
func notesOf(s ref.Slice) (notes []string) {
	if s.Clipped > 0 {
		notes = append(notes, count(s.Clipped, "long line")+" cut")
	}
	if s.Unsearched > 0 {
		notes = append(notes, "the last "+count(s.Unsearched, "line")+" not searched: grep took too long")
	}
	return notes
}

// render returns the answer for a model.
func (o *SafeReadOutput) render(path string, s ref.Slice, in SafeReadInput) string {
	var b strings.Builder
	switch {
	case in.Grep != "":
		fmt.Fprintf(&b, "%s: %s in %s", path, strings.Replace(count(s.Matches, "match"), "matchs", "matches", 1), count(s.Lines, "line"))
	case s.Shown == 0:
		fmt.Fprintf(&b, "%s: no line from %d, of %d", path, in.Offset, s.Lines)
	default:
		fmt.Fprintf(&b, "%s %d-%d of %s", path, s.First, s.Last, number(s.Lines))
	}
	fmt.Fprintf(&b, " · hash %s", o.Hash)
	for _, note := range append([]string{secretsText(o.Secrets)}, o.Notes...) {
		if note != "" {
			b.WriteString(" · " + note)
		}
	}
	b.WriteString("\n" + s.Text)
	if s.Left > 0 && in.Grep == "" {
		fmt.Fprintf(&b, "(%s more asked for: offset %d)\n", number(s.Left), s.Last+1)
	} else if s.Left > 0 {
		fmt.Fprintf(&b, "(%s more matches: make grep narrower)\n", number(s.Left))
	}
	return b.String()
}

// Text is the answer for a model.
func (o *SafeReadOutput) Text() string { return o.text }
