package gemma

import (
	"cmp"
	"fmt"
	"strings"

	"tidepool/internal/ollama"
	"tidepool/internal/wording"
	"tidepool/scout"
)

// Limits of foreign text in a prompt, in runes. All together stays well below
// the context of 4096 tokens.
const (
	maxQuestion = 500
	maxName     = 160
	maxCode     = 800
	maxHover    = 400
)

// rateEdge is the tool. A model sees of a parameter only its name, description
// and type, so the limits stand in the description.
var rateEdge = ollama.Tool{
	Name:        "rate_edge",
	Description: "Rates one place in the code for a planned change.",
	Parameters: []ollama.Parameter{
		{Name: "relevance", Type: "integer", Description: "1 to 5. 5: this place belongs to the answer. 1: it has nothing to do with the change."},
		{Name: "risk", Type: "integer", Description: "1 to 5. 5: this place stops compiling or goes wrong silently. 1: nothing happens."},
		{Name: "complexity", Type: "integer", Description: "1 to 5. 5: hard to put right. 1: a mechanical edit."},
		{Name: "confidence", Type: "integer", Description: "1 to 5. 5: sure. 1: a guess."},
		{Name: "reason", Type: "string", Description: "Why, in one short line.", Optional: true},
	},
}

// promptFor asks about one edge. There is no system text: Ollama adds the
// sentence that the model was trained with.
func promptFor(q scout.Query, e scout.Edge) ollama.Prompt {
	var b strings.Builder
	b.WriteString("Rate how a planned change affects one place in the code.\n\n")
	line(&b, "Question", q.Text, maxQuestion)
	line(&b, "Change", strings.TrimSpace(string(q.Change.Kind)+" "+q.Change.Detail), maxName)
	line(&b, "Symbols", strings.Join(q.Symbols, ", "), maxName)
	line(&b, "Place", place(e), maxName)
	line(&b, "Role", role(e), maxName)
	line(&b, "Link", e.Reason, maxName)
	block(&b, "Code", cmp.Or(e.Snippet, e.To.Text), maxCode)
	block(&b, "Documentation", e.Hover, maxHover)
	b.WriteString("\nCall rate_edge once.")
	return ollama.Prompt{User: b.String(), Tool: rateEdge}
}

func place(e scout.Edge) string {
	text := e.To.Location()
	if in := cmp.Or(e.Enclosing, e.To.Name); in != "" {
		text += " in " + in
	}
	if e.Test {
		text += ", test code"
	}
	if _, generated := e.Trait(scout.TraitGenerated); generated {
		text += ", generated"
	}
	return fmt.Sprintf("%s, %d steps from the symbols", text, e.Depth)
}

func role(e scout.Edge) string {
	if e.From.Name == "" {
		return scout.Manner(e.Role, e.Traits)
	}
	return scout.Manner(e.Role, e.Traits) + " of " + e.From.Name
}

// line writes "Name: text" with the text on one line, or nothing if it is empty.
func line(b *strings.Builder, name, text string, limit int) {
	if text = wording.Clip(strings.Join(strings.Fields(text), " "), limit); text != "" {
		fmt.Fprintf(b, "%s: %s\n", name, text)
	}
}

// block writes a text of several lines below its name.
func block(b *strings.Builder, name, text string, limit int) {
	if text = strings.Trim(wording.Clip(text, limit), "\n"); text != "" {
		fmt.Fprintf(b, "%s:\n%s\n", name, text)
	}
}
