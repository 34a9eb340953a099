package memory

import (
	"context"
	"slices"
	"strings"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// mostExperiences is how many experiences a context has at most.
const mostExperiences = 5

// AssembleContextInput is what assemble_context takes.
type AssembleContextInput struct {
	Query        string   `json:"query" means:"question" jsonschema:"maxLength=10000" jsonschema_description:"What you are about to do."`
	ContextTypes []string `json:"context_types,omitempty" jsonschema:"maxItems=2" jsonschema_description:"What to look for: values (what several experiences agree on), experiences (how similar work ended). Both by default."`
	Limit        int      `json:"limit,omitempty" means:"count" jsonschema:"minimum=1,maximum=50,default=10" jsonschema_description:"How many of each at most; of experiences never more than 5."`
	MaxTokens    int      `json:"max_tokens,omitempty" jsonschema:"minimum=100,maximum=10000,default=1500" jsonschema_description:"Tokens that the context may take. What does not fit is left out."`
}

// AssembleContextOutput is what assemble_context returns.
type AssembleContextOutput struct {
	Markdown   string `json:"markdown"`
	TokenCount int    `json:"token_count"` // about, at four bytes each
	ItemCount  int    `json:"item_count"`
	Truncated  bool   `json:"truncated"` // something was found that does not fit
	state
}

// AssembleContext joins what experience says about a task.
func (t *Toolset) AssembleContext(ctx context.Context, call tools.Call, in AssembleContextInput) (*AssembleContextOutput, error) {
	types := in.ContextTypes
	if len(types) == 0 {
		types = []string{"values", "experiences"}
	}
	for _, name := range types {
		if name != "values" && name != "experiences" {
			return nil, &tools.ArgumentError{Tool: call.Tool, Problems: []string{"context_types: only values and experiences can be assembled"}, Accepts: `context_types of "values" and "experiences"`}
		}
	}
	out := &AssembleContextOutput{state: state{Complete: true}}
	if strings.TrimSpace(in.Query) == "" {
		return out, nil
	}
	page := contextPage{room: in.MaxTokens * bytesPerToken}
	for _, s := range sections() {
		if !slices.Contains(types, s.name) {
			continue
		}
		found, err := t.recall(ctx, recall.Query{Text: in.Query, Limit: min(in.Limit, s.most), Kinds: []memory.Kind{s.kind}})
		if err != nil {
			return nil, err
		}
		if !found.Complete {
			out.state = found.state
		}
		page.add(s, about(in.Query, found.Memories))
	}
	out.Markdown, out.ItemCount, out.Truncated = page.text.String(), page.items, page.truncated
	out.TokenCount = (len(out.Markdown) + bytesPerToken - 1) / bytesPerToken
	return out, nil
}

// about returns the memories that share a word with a query. Recall also finds what was learned beside a memory that does.
func about(query string, found []remembered) []remembered {
	words := fulltext.Words(query)
	return slices.DeleteFunc(found, func(r remembered) bool {
		return !slices.ContainsFunc(fulltext.Words(r.memory.Gist+" "+r.memory.Content), func(word string) bool { return slices.Contains(words, word) })
	})
}

// A section is a part of a context.
type section struct {
	name, title string
	kind        memory.Kind
	most        int
}

func sections() []section {
	return []section{
		{"values", "## Learned Values", memory.Value, 50},
		{"experiences", "## Relevant Experiences", memory.Experience, mostExperiences},
	}
}

// A contextPage is a context that grows, in bytes, up to its budget.
type contextPage struct {
	text      strings.Builder
	room      int
	items     int
	truncated bool
}

// add writes the items of a section that fit, whole; the title only with the first of them.
func (p *contextPage) add(s section, found []remembered) {
	heading := s.title + "\n"
	if p.text.Len() > 0 {
		heading = "\n" + heading
	}
	for _, r := range found {
		text := heading + item(s, r)
		if len(text) > p.room {
			p.truncated = true
			continue
		}
		p.text.WriteString(text)
		p.room -= len(text)
		p.items++
		heading = ""
	}
}

// item is a memory as a line of a list.
func item(s section, r remembered) string {
	text := r.Gist
	if s.kind == memory.Value {
		text = wording.OneLine(r.Content)
	} else if domain := tagged(r.Tags, "domain"); domain != "" {
		text = "**" + domain + "**: " + text
	}
	if r.Foreign {
		text = "[From project: " + r.Project + "] " + text
	}
	return "- " + text + "\n"
}

// tagged returns the rest of the tag that begins with a name and a colon; "" if there is none.
func tagged(tags []string, name string) string {
	for _, tag := range tags {
		if rest, ok := strings.CutPrefix(tag, name+":"); ok {
			return rest
		}
	}
	return ""
}

// Text is the context for a model.
func (o *AssembleContextOutput) Text() string {
	if o.ItemCount == 0 {
		return "Nothing in memory is about it.\n" + o.text()
	}
	text := stored + "\n\n" + o.Markdown
	if o.Truncated {
		text += "\nMore was found than max_tokens has room for.\n"
	}
	return text + o.text()
}
