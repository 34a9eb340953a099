package code

import (
	"fmt"
	"strconv"
	"strings"

	"tidepool/internal/wording"
	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/page"
	"tidepool/tools/internal/query"
)

// siteSize is about how many bytes the text of a call site takes.
const siteSize = 150

// Text renders the call sites for a model.
func (o *FindCallersOutput) Text() string {
	var p page.Page
	p.Grow(len(o.CallSites) * siteSize)
	if o.DefinitionFile == nil {
		p.Line("%s", o.problem)
		p.Candidates(o.root, o.Candidates)
		return p.Closing(o.Completeness)
	}
	p.Line("%s", o.headline())
	shown := 0 // last line written of the file
	for i, s := range o.CallSites {
		if i == 0 || o.CallSites[i-1].File != s.File {
			shown = 0
		} else if o.CallSites[i-1].Line == s.Line && o.CallSites[i-1].note() == s.note() {
			continue
		}
		shown = o.site(&p, s, shown, o.nextLine(i))
	}
	if o.Truncated {
		p.Line("… %d more: raise max_results (up to 1000)", o.Total-len(o.CallSites))
	}
	if o.UnresolvedTotal > 0 {
		unknown := "the language server cannot tell what they mean"
		if o.unread {
			unknown = "their syntax is not read"
		}
		p.Line("%s of the name that may be calls; %s:", wording.Count(o.UnresolvedTotal, "mention"), unknown)
		page.List(&p, o.Unresolved, maxUnresolved, func(m Mention) {
			p.Line("  %s:%d: %s", query.Relative(o.root, m.File), m.Line, excerpt.Line(m.Context))
		})
		if left := o.UnresolvedTotal - len(o.Unresolved); left > 0 {
			p.Line("… %d more", left)
		}
	}
	return p.Closing(o.Completeness)
}

func (o *FindCallersOutput) headline() string {
	files := 0
	for i, s := range o.CallSites {
		if i == 0 || o.CallSites[i-1].File != s.File {
			files++
		}
	}
	head := fmt.Sprintf("%s (%s:%d): ", o.symbol, query.Relative(o.root, *o.DefinitionFile), *o.DefinitionLine)
	switch {
	case o.unknown:
		head += "calls not known yet"
	case o.Total == 0 && o.Completeness.State == lsp.Indexing:
		head += "no calls known yet"
	case o.Total == 0:
		head += "no calls"
	case o.Truncated:
		head += callsAndValues(o.Total, o.values)
	default:
		head += callsAndValues(o.Total, o.values) + " in " + wording.Count(files, "file")
	}
	if o.Implementations != nil {
		head += "; " + wording.Count(*o.Implementations, "implementation")
	}
	if len(o.Implements) > 0 {
		head += "; implements " + strings.Join(o.Implements, ", ")
	}
	if o.FilteredCount > 0 {
		head += "; " + wording.Count(o.FilteredCount, "other reference") + " left out"
	}
	return head
}

// valuesAmong counts the sites that take a function as a value.
func valuesAmong(sites []query.Site) (n int) {
	for _, s := range sites {
		if strings.HasSuffix(s.Use.Kind, "value") {
			n++
		}
	}
	return n
}

// callsAndValues is "3 calls and 1 value", of which either may be missing.
func callsAndValues(all, values int) string {
	switch values {
	case 0:
		return wording.Count(all, "call")
	case all:
		return wording.Count(values, "value")
	}
	return wording.Count(all-values, "call") + " and " + wording.Count(values, "value")
}

// nextLine returns the line of the following site in the same file: its context must not repeat it.
func (o *FindCallersOutput) nextLine(i int) int {
	if i+1 < len(o.CallSites) && o.CallSites[i+1].File == o.CallSites[i].File {
		return o.CallSites[i+1].Line
	}
	return int(^uint(0) >> 1)
}

// site writes one call with its context, leaving out lines up to shown, and returns the last line written.
func (o *FindCallersOutput) site(p *page.Page, s CallSite, shown, next int) int {
	first := s.Line - len(s.ContextBefore)
	for i, line := range s.ContextBefore {
		if n := first + i; n > shown {
			beside(p, n, line)
		}
	}
	p.Text(query.Relative(o.root, s.File), ":", strconv.Itoa(s.Line), ": ", excerpt.Line(s.Context), s.note())
	shown = s.Line
	for i, line := range s.ContextAfter {
		n := s.Line + 1 + i
		if n >= next {
			break
		}
		shown = n
		beside(p, n, line)
	}
	return shown
}

// beside writes a line that is shown for what stands near it, unless it is blank.
func beside(p *page.Page, n int, line string) {
	if line = excerpt.Line(line); line != "" {
		p.Text("  ", strconv.Itoa(n), "- ", line)
	}
}

// note returns what the line itself may not show: where it stands, and what kind of call it is.
func (s CallSite) note() string {
	how := ""
	switch {
	case s.Kind == "value" && s.Via != "":
		how = "value, passed to " + s.Via
	case s.Via != "":
		how = s.Kind + " through " + s.Via
	case s.Kind == "value":
		how = s.Kind
	}
	switch {
	case s.Enclosing == "" && how == "":
		return ""
	case s.Enclosing == "":
		return "  ← " + how
	case how == "":
		return "  ← in " + s.Enclosing
	}
	return "  ← in " + s.Enclosing + ", " + how
}
