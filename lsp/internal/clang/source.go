package clang

import (
	"strings"
	"time"

	"tidepool/lsp/internal/text"
)

// A source is what we read in a source file ourselves: what it includes, the macros that it defines, and which names
// stand where clangd may not know what they mean.
type source struct {
	sum      uint64
	head     uint64                     // of the text up to the last #include
	written  time.Time                  // when it was, by its own account
	looked   time.Time                  // when we read it
	foreign  bool                       // it is written in another language
	link     bool                       // it is a link to another file
	includes []string                   // as spelled: "a/b.h"
	computed []string                   // the macros that it includes what they stand for, "" for more than a name
	macros   map[string][]text.Position // by name
	paths    map[string][]string        // by name of a macro: the paths that it stands for, as spelled
	doubtful map[string][]doubt         // by name; of each more than are asked about, if there are
	lists    bool                       // it uses macros where declarations stand, and may be included many times
	pure     bool                       // it has nothing but uses of macros and directives
	cleanups cleanups
	// designators are the names in [NAME] = value, which clangd 14 to 19 does not index.
	designators map[string][]text.Position
}

// A doubt is where a name stands that the index may lack, and what it lacks it for if it does.
type doubt struct {
	at  text.Position
	why string
}

// Why the index of clangd lacks names.
const (
	leftOut   = "is left out by #if"                                             // but for the guard of a whole header
	dependent = "stands in a template, where clangd does not know what it means" // as what T has in it
)

// read reads the text of a file.
func read(content string) source {
	r := newReader(content)
	r.read(content)
	r.source.lists = r.source.lists && !r.guard && !r.once
	r.source.head = checksum(content[:r.head])
	return r.source
}

func newReader(content string) *reader {
	return &reader{guard: guard(content), line: 1, template: -1, source: source{
		macros: map[string][]text.Position{}, doubtful: map[string][]doubt{}, designators: map[string][]text.Position{},
	}}
}

// A reader passes over a text once. Text that is broken is read somehow.
type reader struct {
	source source
	guard  bool // the outermost #if is that of the whole file
	depth  int  // of #if
	line   int
	start  int  // offset of the line
	head   int  // offset behind the last #include
	begun  bool // something other than white space and comments stands on the line

	braces   int  // that are open
	template int  // braces that were open when a template began; -1: in none
	last     byte // what is neither white space nor in a comment, before
	once     bool // #pragma once
	cleaning bool // the function for a cleanup follows

	wanted   string   // a name whose mentions are noted
	mentions mentions // of wanted
}

func (r *reader) read(text string) {
	for at := 0; at < len(text); {
		next := at + 1
		c := text[at]
		switch {
		case c == '\n':
			r.line, r.start, r.begun = r.line+1, next, false
		case c == ' ' || c == '\t' || c == '\r':
		case strings.HasPrefix(text[at:], "//"):
			at += line(text[at:])
			continue
		case strings.HasPrefix(text[at:], "/*"):
			at = r.skip(text, at, endOf(text, at+2, "*/"))
			continue
		case c == '#' && !r.begun:
			next = at + line(text[at:])
			if r.directive(text[at+1:next], at+1-r.start) {
				r.head = next
			}
			at, r.last = r.skip(text, at, next), 0
			continue
		case c == '"' || c == '\'':
			r.begun = true
			next = r.skip(text, at, quoted(text, at))
		case letter(c):
			first := !r.begun
			r.begun = true
			next = r.word(text, at)
			r.source.lists = r.source.lists || first && r.invokes(text[next:])
		default:
			r.begun = true
			r.punctuation(c)
		}
		if c > ' ' {
			r.last = text[next-1]
		}
		at = next
	}
}

// invokes reports whether the first word of a line outside of all braces uses a macro. rest follows it.
func (r *reader) invokes(rest string) bool {
	behind := r.last == 0 || strings.IndexByte(");},", r.last) >= 0
	return r.braces == 0 && behind && strings.HasPrefix(strings.TrimLeft(rest, " \t"), "(")
}

// punctuation follows where templates end.
func (r *reader) punctuation(c byte) {
	switch c {
	case '{':
		r.braces++
	case '}':
		r.braces--
	}
	if (c == '}' || c == ';') && r.braces <= r.template {
		r.template = -1
	}
}

// skip counts the lines of what is passed over.
func (r *reader) skip(text string, at, next int) int {
	if n := strings.Count(text[at:next], "\n"); n > 0 {
		r.line += n
		r.start = at + strings.LastIndexByte(text[at:next], '\n') + 1
	}
	return next
}

func (r *reader) word(content string, at int) int {
	next := at
	for next < len(content) && (letter(content[next]) || '0' <= content[next] && content[next] <= '9') {
		next++
	}
	name := content[at:next]
	if name == "R" && next < len(content) && content[next] == '"' {
		return r.skip(content, at, raw(content, next))
	}
	if name == "template" && r.template < 0 {
		r.template = r.braces
	}
	place := text.Position{Line: r.line, Column: at - r.start + 1}
	if name == r.wanted {
		r.mentions.places = append(r.mentions.places, place)
	}
	if why := r.why(); why != "" && len(r.source.doubtful[name]) <= doubtful {
		r.source.doubtful[name] = append(r.source.doubtful[name], doubt{place, why})
	}
	r.cleanup(name, content[next:], place)
	if r.designates(content[next:]) {
		r.source.designators[name] = append(r.source.designators[name], place)
	}
	return next
}

// cleanup takes note of a name that stands in cleanup(), as an attribute has it. rest follows it.
func (r *reader) cleanup(name, rest string, at text.Position) {
	if r.cleaning {
		if r.source.cleanups.at == nil {
			r.source.cleanups.at = map[string][]text.Position{}
		}
		r.source.cleanups.at[name] = append(r.source.cleanups.at[name], at)
	}
	r.cleaning = (name == "cleanup" || name == "__cleanup__") && (r.last == '(' || r.last == ',') && strings.HasPrefix(strings.TrimLeft(rest, " \t"), "(")
}

// designates reports whether a name is all of an array designator. rest follows it.
func (r *reader) designates(rest string) bool {
	rest, closed := strings.CutPrefix(rest, "]")
	rest = strings.TrimLeft(rest, " \t")
	return closed && r.last == '[' && strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==")
}

// why the index may lack a name here.
func (r *reader) why() string {
	open := r.depth
	if r.guard {
		open--
	}
	switch {
	case open > 0:
		return leftOut
	case r.template >= 0:
		return dependent
	}
	return ""
}

// directive takes in what follows a # at the start of a line, after column bytes, and says whether that includes something.
func (r *reader) directive(all string, column int) (includes bool) {
	word, rest := cutWord(all)
	switch word {
	case "define":
		name, behind := cutWord(rest)
		at := text.Position{Line: r.line, Column: column + len(all) - len(behind) - len(name) + 1}
		r.source.macros[name] = append(r.source.macros[name], at)
		r.source.standsFor(name, behind)
		r.source.cleanups.define(name, behind, r.line)
		r.mentions.macro = r.mentions.macro || r.wanted != "" && text.Mentions(behind, r.wanted)
	case "pragma":
		r.once = r.once || strings.TrimSpace(rest) == "once"
	case "if", "ifdef", "ifndef":
		r.depth++
	case "endif":
		r.depth--
	case "include", "import", "include_next":
		rest = strings.TrimSpace(rest)
		end := strings.IndexAny(rest[min(1, len(rest)):], `">`)
		if end < 0 || rest[0] != '"' && rest[0] != '<' {
			r.source.compute(rest)
		} else {
			r.source.includes = append(r.source.includes, rest[1:end+1])
		}
		return true
	}
	return false
}

// exports reports whether a text is the module definition of a Windows library, and no list of macros.
func exports(content string) bool {
	for line := range strings.Lines(content) {
		line, _, _ = strings.Cut(line, ";")
		if word, rest := cutWord(strings.TrimSpace(line)); word+rest != "" {
			return (word == "LIBRARY" || word == "EXPORTS" || word == "NAME") && !strings.HasPrefix(strings.TrimLeft(rest, " \t"), "(")
		}
	}
	return false
}

// guard reports whether the first directive of a text is that of an include guard.
func guard(text string) bool {
	var words []string
	for line := range strings.Lines(text) {
		rest, is := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !is {
			continue
		}
		word, rest := cutWord(rest)
		name, behind := cutWord(rest)
		if words = append(words, word, name); len(words) == 4 {
			return words[0] == "ifndef" && words[2] == "define" && words[1] == words[3] && !strings.HasPrefix(behind, "(")
		}
	}
	return false
}

// cutWord cuts the first word off a text.
func cutWord(text string) (word, rest string) {
	text = strings.TrimLeft(text, " \t")
	end := 0
	for end < len(text) && (letter(text[end]) || '0' <= text[end] && text[end] <= '9') {
		end++
	}
	return text[:end], text[end:]
}

// line returns the length of the first line of a text, with those that backslashes join to it.
func line(text string) int {
	for at := 0; ; {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			return len(text)
		}
		at += end
		if !strings.HasSuffix(strings.TrimSuffix(text[:at], "\r"), `\`) {
			return at
		}
		at++
	}
}

// quoted returns the offset behind the string or character that begins at an offset. It ends with its line at the latest.
func quoted(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[at]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(text)
}

// raw returns the offset behind the raw string whose quote stands at an offset.
func raw(text string, quote int) int {
	open := strings.IndexByte(text[quote:], '(')
	if open < 0 {
		return quote + 1
	}
	return endOf(text, quote+open, ")"+text[quote+1:quote+open]+`"`)
}

// endOf returns the offset behind the next occurrence of end.
func endOf(text string, from int, end string) int {
	at := strings.Index(text[from:], end)
	if at < 0 {
		return len(text)
	}
	return from + at + len(end)
}

func letter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
