package teach

import (
	"fmt"
	"strings"

	"tidepool/internal/wording"
	"tidepool/tools/internal/page"
)

// maxShownSignature bounds a signature in the text, in characters.
const maxShownSignature = 200

// Text renders the document for a model, and for whom the model shows it to: Markdown.
func (o *Output) Text() string {
	var p page.Page
	for _, s := range o.Seeds {
		if s.Problem != "" {
			p.Line("%s", s.Problem)
			p.Candidates(o.root, s.Candidates)
		}
	}
	if len(o.units) == 0 {
		return p.Closing(o.Completeness)
	}
	p.Line("# %s", o.Title)
	p.Line("")
	p.Line("%s", o.introduction())
	p.Line("")
	for i, u := range o.units {
		o.writeUnit(&p, i, u)
	}
	p.Line("")
	p.Line("```mermaid")
	for line := range strings.Lines(o.Diagram) {
		p.Line("%s", strings.TrimSuffix(line, "\n"))
	}
	p.Line("```")
	if left := o.leftOut(); left != "" {
		p.Line("%s", left)
	}
	if o.Observed.Doubt != "" {
		p.Line("what tests of the topic run: %s", o.Observed.Doubt)
	}
	text := p.Closing(o.Completeness)
	if o.advice != "" {
		text += "\n(rules chose what belongs here; " + o.advice + ")"
	}
	return text
}

func (o *Output) introduction() string {
	var seeds []string
	grouped := false
	for _, u := range o.units {
		grouped = grouped || u.Group > 0
		if u.Depth == 0 {
			seeds = append(seeds, fmt.Sprintf("**%s** (%d)", u.display, u.Order))
		}
	}
	text := fmt.Sprintf("%s, in the order to learn them: each after what it uses", wording.Count(len(o.units), "thing"))
	if grouped {
		text += ", but for some that need each other"
	}
	return text + ". It is about " + strings.Join(seeds, ", ") + "." + o.Observed.introduction()
}

// maxShownTests bounds the tests that the text names.
const maxShownTests = 3

// introduction says which tests chose units; "" if none did.
func (o Observed) introduction() string {
	if o.Ran == 0 {
		return ""
	}
	tests := strings.Join(o.Tests[:min(len(o.Tests), maxShownTests)], ", ")
	if more := len(o.Tests) - maxShownTests; more > 0 {
		tests += " and " + wording.Count(more, "more test")
	}
	return fmt.Sprintf(" %d of these things are what %s run and most other tests do not.", o.Ran, tests)
}

// writeUnit writes what it is, how it is declared, and why now.
func (o *Output) writeUnit(p *page.Page, i int, u TeachingUnit) {
	if u.Group > 0 && (i == 0 || o.units[i-1].Group != u.Group) {
		together := 0
		for ; i+together < len(o.units) && o.units[i+together].Group == u.Group; together++ {
		}
		p.Line("%d to %d need each other; read them together:", u.Order, u.Order+together-1)
	}
	doc := ""
	if u.Symbol.DocComment != nil {
		doc = strings.TrimPrefix(page.Comment(*u.Symbol.DocComment), "  //")
	}
	p.Line("%d. **%s** [%s]%s (%s)", u.Order, u.display, u.part, doc, u.place)
	if u.Symbol.Signature != "" {
		p.Line("   `%s`", wording.Clip(strings.ReplaceAll(u.Symbol.Signature, "`", "'"), maxShownSignature))
	}
	if does := u.Does.String(); does != "" {
		p.Line("   It %s.", does)
	}
	p.Line("   Why now: %s.", u.Why)
}

// leftOut counts in one line what is not there.
func (o *Output) leftOut() string {
	var counts []string
	for _, left := range []struct {
		n    int
		what string
	}{
		{o.LeftOut.Open, "beyond the budget"}, {o.LeftOut.Declined, "not of the topic"}, {o.LeftOut.Cut, "not asked about"},
		{o.LeftOut.Unselected, "without an answer of the selector"}, {o.LeftOut.Unread, "unread"},
	} {
		if left.n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", left.n, left.what))
		}
	}
	if len(counts) == 0 {
		return ""
	}
	text := "left out by " + o.Selector + ": " + strings.Join(counts, ", ")
	if o.LeftOut.Reason != "" {
		text += " (" + o.LeftOut.Reason + ")"
	}
	return text
}
