package lexer

import (
	"iter"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"unsafe"

	"tidepool/internal/filecache"
)

// A File is the text of one source file. It never changes, and is safe for concurrent use. It is cut into tokens once they are asked for,
// and again if [Files] has dropped them since.
type File struct {
	Path string

	src    string
	starts []int // offset of each line
	rules  func() *dialect
	known  bool             // the extension belongs to a language
	asC    func() *File     // see AsC
	bound  *filecache.Bound // of how many files have their tokens kept; nil: this one has, for good
	kept   filecache.Derived[tokens]
}

// tokens are those of a text.
type tokens struct {
	all  []token
	torn bool // see Balanced
}

func (f *File) tokens() tokens { return f.kept.Get(f.bound, f.sized) }

// sized cuts the text, and returns how many bytes the tokens occupy as well.
func (f *File) sized() (tokens, int) {
	t := f.scan()
	return t, int(unsafe.Sizeof(token{})) * cap(t.all)
}

// Parse makes a file of src. The extension of path tells its language. In text of an unknown one there are neither
// comments nor strings nor keywords; who knows that it is C asks for [File.AsC].
func Parse(path string, src []byte) *File { return newFile(path, string(src), nil) }

func newFile(path, src string, bound *filecache.Bound) *File {
	f := &File{Path: path, src: src, bound: bound}
	made, known := dialectOf(filepath.Ext(path))
	f.rules, f.known = sync.OnceValue(made), known
	if !f.known {
		f.asC = sync.OnceValue(func() *File {
			return &File{Path: path, src: f.src, starts: f.starts, rules: sync.OnceValue(clang), known: true, bound: bound}
		})
	}
	f.starts = make([]int, 1, 1+len(src)/32)
	for at := 0; ; {
		next := strings.IndexByte(f.src[at:], '\n')
		if next < 0 {
			return f
		}
		at += next + 1
		f.starts = append(f.starts, at)
	}
}

// AsC returns the file itself if its extension belongs to a language, and else the same text with the tokens of C: what
// C includes may have any name, such as vector or errors.def.
func (f *File) AsC() *File {
	if f.known {
		return f
	}
	return f.asC()
}

// Lines returns how many lines the file has.
func (f *File) Lines() int { return len(f.starts) }

// Line returns line n without its end, "" outside the file.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.starts) {
		return ""
	}
	end := len(f.src)
	if n < len(f.starts) {
		end = f.starts[n] - 1
	}
	return strings.TrimSuffix(f.src[f.starts[n-1]:end], "\r")
}

// Text returns the source from one offset up to another, both within the file.
func (f *File) Text(start, end int) string { return f.src[start:end] }

// Offset returns where a position is, the nearest place in the file for one outside of it.
func (f *File) Offset(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(f.starts) {
		return len(f.src)
	}
	return min(f.starts[line-1]+max(column-1, 0), len(f.src))
}

// Position returns the reverse of Offset.
func (f *File) Position(offset int) (line, column int) {
	line, exact := slices.BinarySearch(f.starts, offset)
	if exact {
		line++
	}
	return line, offset - f.starts[line-1] + 1
}

// Mentions yields the tokens, comments among them, that hold text, each once.
func (f *File) Mentions(text string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		for at := 0; text != ""; {
			next := strings.Index(f.src[at:], text)
			if next < 0 {
				return
			}
			at += next
			t := f.before(at + 1)
			if t.End() < at+len(text) {
				at++
				continue
			}
			if !yield(t) {
				return
			}
			at = t.End()
		}
	}
}

// At returns the token that covers a position, or that ends there if none does; the zero Token in white space.
func (f *File) At(line, column int) Token {
	offset := f.Offset(line, column)
	if t := f.before(offset + 1); t.End() >= offset {
		return t
	}
	return Token{}
}

// before returns the last token that starts before an offset, the zero Token if none does.
func (f *File) before(offset int) Token {
	all := f.tokens().all
	behind := sort.Search(len(all), func(i int) bool { return int(all[i].start) >= offset })
	if behind == 0 {
		return Token{}
	}
	return Token{f, behind - 1}
}

// Balanced reports whether every bracket has its partner, but for those in an #if 0, and all branches of an #if with an #else leave the
// same brackets open. Where they do not, what a bracket holds is a guess.
func (f *File) Balanced() bool {
	return !f.tokens().torn
}

// First returns the first token that is no comment, the zero Token if there is none.
func (f *File) First() Token {
	return Token{f, -1}.Next()
}

// Tokens returns all tokens, comments among them.
func (f *File) Tokens() []Token {
	all := make([]Token, len(f.tokens().all))
	for i := range all {
		all[i] = Token{f, i}
	}
	return all
}
