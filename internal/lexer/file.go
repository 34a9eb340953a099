package lexer

import "strings"

// A File is the text of one source file and, once asked for, its tokens. Immutable, safe for concurrent use.
type File struct {
	Path string

	src    string
	starts []int // offset of each line
}

// Parse makes a file of src. path tells its language, by the extension.
func Parse(path string, src []byte) *File {
	f := &File{Path: path, src: string(src)}
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
