package syntax

import (
	"sort"
	"strings"
	"sync"

	"tidepool/internal/filecache"
)

// partFrom is the size, in bytes, from which on a question about a place has only the declaration around it parsed. To find the
// declarations takes a sixteenth of the time that parsing takes (BenchmarkUse), to parse one of them next to nothing. A
// generated file of some megabytes may hold hundreds of references to one function, and of smaller files, too, the trees of all of it
// are not kept for long.
const partFrom = 4 << 10

// keptParts bounds the text, in bytes, of the declarations of a file whose trees are known by where they begin.
const keptParts = 256 << 10

// parts are the declarations of a large file that were asked about, each parsed alone. The zero value is ready.
type parts struct {
	mu     sync.Mutex
	looked bool
	starts []int                             // offsets at which declarations begin, with the comments right above; empty: the whole file is parsed for each question
	made   map[int]*filecache.Derived[*tree] // by offset
	bytes  int                               // of the text of what is in made
}

// treeAround returns the tree of the declaration around a place, if the file is large and the declaration parses alone, or else that of
// the file. The positions are the same.
func (f *File) treeAround(at Position) *tree {
	if t, ok := f.partAround(at); ok {
		return t
	}
	return f.tree()
}

// partAround is treeAround; false if the whole file must be parsed.
func (f *File) partAround(at Position) (*tree, bool) {
	if at.Line < 1 || at.Line > len(f.starts) {
		return nil, false
	}
	start, end, ok := f.partAt(f.starts[at.Line-1])
	if !ok {
		return nil, false
	}
	return f.parts.get(f, start, end)
}

// partAt returns where the declaration around an offset of a large file begins and ends; false if the whole file must be asked.
func (f *File) partAt(offset int) (start, end int, ok bool) {
	starts := f.partStarts()
	i := sort.SearchInts(starts, offset+1) - 1
	if i < 0 {
		return 0, 0, false
	}
	return starts[i], f.partEnd(starts, i), true
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

// get returns the tree of a declaration of a file; false if it does not parse alone, or so much was parsed that the whole file costs less.
// That the tree of a file of megabytes never does: a place in it is asked about alone however many there were.
func (p *parts) get(f *File, start, end int) (*tree, bool) {
	p.mu.Lock()
	made, known := p.made[start]
	if !known {
		p.bytes += end - start
		switch enough := p.bytes > len(f.src)/2; {
		case enough && len(f.src) <= keptParts:
			p.mu.Unlock()
			return nil, false
		case p.bytes > keptParts:
			p.made, p.bytes = nil, end-start
		}
		if p.made == nil {
			p.made = make(map[int]*filecache.Derived[*tree])
		}
		made = new(filecache.Derived[*tree])
		p.made[start] = made
	}
	p.mu.Unlock()
	t := made.Get(f.bound, func() (*tree, int) { return f.parsePart(start, end), treePerByte * (end - start) })
	return t, t.broken == nil
}

// partClause stands before a declaration that is parsed alone. No package clause is shorter, so that there is room for it before each
// declaration.
const partClause = "package p\n"

// parsePart parses a declaration alone, with the positions that it has in the file.
func (f *File) parsePart(start, end int) *tree {
	return newTree(f.base+start-len(partClause), f.Path, partClause+f.src[start:end])
}

// collect returns what find finds in the trees of the declarations of a file whose text is like something. Of a large file they are
// parsed one by one: the tree of a generated file of some megabytes takes a hundred megabytes.
func collect[T any](f *File, like func(text string) bool, find func(*tree) []T) (all []T) {
	starts := f.partStarts()
	if len(starts) == 0 {
		return find(f.tree())
	}
	for i, start := range starts {
		end := f.partEnd(starts, i)
		if !like(f.src[start:end]) {
			continue
		}
		t := f.parsePart(start, end)
		if t.broken != nil {
			return find(f.tree())
		}
		all = append(all, find(t)...)
	}
	return all
}

// declarationStarts returns the offsets of the lines with which the top-level declarations of a Go source begin, in order, those of the
// comments right above included; of several declarations in one line that of the first. It is empty if brackets, strings or comments do
// not end. A line that continues the one before it may be among them, and does not parse alone then.
func declarationStarts(src string) (starts []int) {
	depth, comment := 0, -1 // where the comments begin that end in the line before
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
			if depth == 0 && comment < 0 && beginsComment(src[i:]) && beginsLine(src, i) {
				comment = i
			}
			i = end
		case '\n':
			i++
			if depth > 0 {
				continue
			}
			if beginsDeclaration(src[i:]) {
				if comment < 0 {
					comment = i
				}
				starts = append(starts, comment)
			}
			if !beginsComment(src[i:]) {
				comment = -1
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

// beginsLine reports whether nothing but blanks stands before an offset on its line.
func beginsLine(src string, at int) bool {
	before := strings.TrimRight(src[:at], " \t")
	return before == "" || before[len(before)-1] == '\n'
}

// beginsComment reports whether the first on a line is a comment.
func beginsComment(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*")
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
