package execution

import (
	"context"
	"fmt"
	"strings"

	"tidepool/internal/ref"
	"tidepool/tools"
)

// RefContentInput is what ref_content takes.
type RefContentInput struct {
	Ref       string `json:"ref" jsonschema:"minLength=1,maxLength=200" jsonschema_description:"The reference that an answer named: ref_…"`
	Lines     string `json:"lines,omitempty" jsonschema:"maxLength=40" jsonschema_description:"Lines, from 1: 10-40, 10- or 10."`
	Head      int    `json:"head,omitempty" jsonschema:"minimum=1" jsonschema_description:"So many lines of the beginning."`
	Tail      int    `json:"tail,omitempty" jsonschema:"minimum=1" jsonschema_description:"So many lines of the end."`
	Grep      string `json:"grep,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"Go regular expression: lines that it matches."`
	Context   int    `json:"context,omitempty" jsonschema:"minimum=0,maximum=20" jsonschema_description:"Lines around each match of grep."`
	SessionID string `json:"session_id,omitempty" jsonschema:"maxLength=128" jsonschema_description:"Only for clients without hooks."`
}

// RefContentOutput is what ref_content returns.
type RefContentOutput struct {
	Content     string   `json:"content"`      // lines with their numbers
	ContentType string   `json:"content_type"` // text
	TokensUsed  int      `json:"tokens_used"`  // about, of the text
	Lines       int      `json:"lines"`        // of the whole
	First       int      `json:"first"`        // line that is shown; 0: none
	Last        int      `json:"last"`
	Matches     int      `json:"matches,omitempty"`
	Left        int      `json:"left,omitempty"`  // lines, or with grep matches, that were asked for and did not fit
	Notes       []string `json:"notes,omitempty"` // what is missing, and why

	text string
}

// RefContent reads a part of a whole output.
func (t *Toolset) RefContent(ctx context.Context, call tools.Call, in RefContentInput) (*RefContentOutput, error) {
	u, err := t.begin(ctx, call, in.SessionID, in.Ref+" "+in.Grep)
	if err != nil {
		return nil, err
	}
	s, err := u.Refs.Slice(u.session, in.Ref, ref.Request{Lines: in.Lines, Head: in.Head, Tail: in.Tail, Grep: in.Grep, Context: in.Context})
	if err != nil {
		return nil, u.refused(err)
	}
	s.Text = u.scrub(s.Text) // the session may know more secrets than when the text was kept
	u.hash(s.Text)
	u.entry.Bytes = int64(len(s.Text))
	out := &RefContentOutput{
		Content: s.Text, ContentType: "text", Lines: s.Lines, First: s.First, Last: s.Last, Matches: s.Matches, Left: s.Left, Notes: notesOf(s),
	}
	if err := u.end(); err != nil {
		out.Notes = append(out.Notes, err.Error())
	}
	out.text = out.render(s, in)
	out.TokensUsed = tokensOf(out.text)
	return out, nil
}

// render returns the answer for a model.
func (o *RefContentOutput) render(s ref.Slice, in RefContentInput) string {
	var b strings.Builder
	if in.Grep != "" {
		fmt.Fprintf(&b, "%s in %s", strings.Replace(count(s.Matches, "match"), "matchs", "matches", 1), count(s.Lines, "line"))
	} else if s.Shown == 0 {
		fmt.Fprintf(&b, "no such line, of %s", number(s.Lines))
	} else {
		fmt.Fprintf(&b, "%d-%d of %s", s.First, s.Last, number(s.Lines))
	}
	for _, note := range o.Notes {
		b.WriteString(" · " + note)
	}
	b.WriteString("\n" + s.Text)
	switch {
	case s.Left == 0:
	case in.Grep != "":
		fmt.Fprintf(&b, "(%s more matches: make grep narrower)\n", number(s.Left))
	case in.Tail > 0:
		fmt.Fprintf(&b, "(%s more asked for: lines %d-%d)\n", number(s.Left), max(1, s.First-s.Left), s.First-1)
	default:
		fmt.Fprintf(&b, "(%s more: lines %d-)\n", number(s.Left), s.Last+1)
	}
	return b.String()
}

// Text is the answer for a model.
func (o *RefContentOutput) Text() string { return o.text }
