package syntax

import (
	"sort"
	"strings"
	"sync"
)

// partFrom is the size, in bytes, from which on a question about a place has only the declaration around it parsed. To find the
// declarations takes a sixteenth of the time that parsing takes (BenchmarkUse), to parse one of them next to nothing. A
// generated file of some megabytes may hold hundreds of references to one function, and of smaller files, too, the trees of all of it
// are not kept for long.
const partFrom = 4 << 10

// parts are the declarations of a large file that were asked about, each parsed alone. The zero value is ready.
type parts struct {
	mu     sync.Mutex
	looked bool
	starts []int         // offsets at which declarations begin; empty: the whole file is parsed for each question
	made   map[int]*part // by offset; nil: it does not parse alone
	bytes  int           // of what was parsed
}

// A part is a declaration, as a file of its own, and the line of it that is its second.
type part struct {
	*File
	first int
}

// in returns where a place of the whole file is in the part.
func (p part) in(at Position) Position { return Position{at.Line - p.first + 2, at.Column} }

// out returns where a place of the part is in the whole file; the zero one stays.
func (p part) out(at Position) Position {
	if at == (Position{}) {
		return at
	}
	return Position{at.Line + p.first - 2, at.Column}
}

// typeOut changes the places of a type's declaration from those of the part to those of the whole file; nil stays.
func (p part) typeOut(d *TypeDecl) *TypeDecl {
	if d == nil {
		return nil
	}
	d.At, d.Target = p.out(d.At), p.out(d.Target)
	for i, m := range d.Members {
		d.Members[i].At, d.Members[i].Target = p.out(m.At), p.out(m.Target)
	}
	return d
}

// part returns the declaration around a place of a large file; false if the whole file must be asked.
func (f *File) part(at Position) (part, bool) {
	start, end, ok := f.partAround(at)
	if !ok {
		return part{}, false
	}
	return f.parts.get(f, start, end)
}

// documentedPart is part with the comment above the declaration.
func (f *File) documentedPart(at Position) (part, bool) {
	start, end, ok := f.partAround(at)
	if !ok {
		return part{}, false
	}
	return f.documented(start, end)
}

// partAround returns where the declaration around a place of a large file begins and ends; false if the whole file must be asked.
func (f *File) partAround(at Position) (start, end int, ok bool) {
	if at.Line < 1 || at.Line > len(f.starts) {
		return 0, 0, false
	}
	starts := f.partStarts()
	i := sort.SearchInts(starts, f.starts[at.Line-1]+1) - 1
	if i < 0 {
		return 0, 0, false
	}
	return starts[i], f.partEnd(starts, i), true
}

// documented parses a declaration with the comment above it; false if it does not parse alone, or if that comment is one between /* and */.
func (f *File) documented(start, end int) (part, bool) {
	line := sort.SearchInts(f.starts, start)
	for line > 0 && strings.HasPrefix(f.src[f.starts[line-1]:f.starts[line]], "//") {
		line--
	}
	if line > 0 && strings.HasSuffix(strings.TrimSpace(f.src[f.starts[line-1]:f.starts[line]]), "*/") {
		return part{}, false
	}
	p := parsePart(f, f.starts[line], end)
	return p, p.Broken() == nil
}

// partStarts returns the offsets at which the declarations of a large file begin; none if the whole file must be parsed.
func (f *File) partStarts() []int {
	if len(f.src) < partFrom {
		return nil
	}
	p := &f.parts
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.looked {
		p.looked, p.starts = true, declarationStarts(f.src)
	}
	return p.starts
}

// partEnd returns where declaration i ends, and the next begins.
func (f *File) partEnd(starts []int, i int) int {
	if i+1 < len(starts) {
		return starts[i+1]
	}
	return len(f.src)
}

// get returns a declaration of a file; false if it does not parse alone, or so much was parsed that the whole file costs less.
func (p *parts) get(f *File, start, end int) (part, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	made, known := p.made[start]
	if !known {
		if p.bytes += end - start; p.bytes <= len(f.src)/2 {
			if of := parsePart(f, start, end); of.Broken() == nil {
				made = &of
			}
		}
		if p.made == nil {
			p.made = make(map[int]*part)
		}
		p.made[start] = made
	}
	if made == nil {
		return part{}, false
	}
	return *made, true
}

// parsePart parses a declaration alone.
func parsePart(f *File, start, end int) part {
	made := Parse(f.Path, []byte("package p\n"+f.src[start:end]))
	made.bound, made.parts.looked = f.bound, true // it has no parts of its own
	return part{made, 1 + sort.SearchInts(f.starts, start)}
}

// declarationStarts returns the offsets of the lines with which the top-level declarations of a Go source begin, in order; of
// several in one line that of the first. It is empty if brackets, strings or comments do not end. A line that continues the one
// before it may be among them, and does not parse alone then.
func declarationStarts(src string) (starts []int) {
	depth := 0
	for i := 0; i < len(src); {
		switch c := src[i]; c {
		case '(', '[', '{':
			depth++
			i++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return nil
			}
			i++
		case '/', '"', '`', '\'':
			end := textEnd(src, i)
			if end < 0 {
				return nil
			}
			i = end
		case '\n':
			i++
			if depth == 0 && beginsDeclaration(src[i:]) {
				starts = append(starts, i)
			}
		default:
			i++
		}
	}
	if depth != 0 {
		return nil
	}
	return starts
}

// beginsDeclaration reports whether a line begins with the keyword of a declaration.
func beginsDeclaration(line string) bool {
	for _, keyword := range [...]string{"func", "type", "var", "const", "import"} {
		if rest, ok := strings.CutPrefix(line, keyword); ok {
			return rest != "" && strings.IndexByte(" \t(\n\r", rest[0]) >= 0
		}
	}
	return false
}

// textEnd returns the offset behind the comment, string or rune that begins at i, or behind i if none does; -1 if it has no end.
func textEnd(src string, i int) int {
	switch c := src[i]; {
	case c == '`':
		return behind(src, i+1, "`")
	case c == '/' && strings.HasPrefix(src[i:], "//"):
		if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
			return i + n
		}
		return len(src)
	case c == '/' && strings.HasPrefix(src[i:], "/*"):
		return behind(src, i+2, "*/")
	case c == '/':
		return i + 1
	default:
		return quoteEnd(src, i)
	}
}

// quoteEnd returns the offset behind the interpreted string or rune that begins at i; -1 if it does not end in its line.
func quoteEnd(src string, i int) int {
	quote := src[i]
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '\n':
			return -1
		case quote:
			return i + 1
		}
	}
	return -1
}

func behind(src string, from int, end string) int {
	n := strings.Index(src[from:], end)
	if n < 0 {
		return -1
	}
	return from + n + len(end)
}
