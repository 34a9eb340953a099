package text

import (
	"bytes"
	"os"
	"sync"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// maxNonASCII bounds the lines that are kept, in bytes. Of 6 million lines of Go, 4,408 in 275 files of 152 MB hold anything but ASCII,
// and take 320 KB.
const maxNonASCII = 8 << 20

// A NonASCII keeps the lines of files that hold anything but ASCII: where a line does not, UTF-16 units are bytes. Most source files have
// no such line or few, and to read 60 files to convert 60 references takes as long as gopls takes to find them. The zero value knows no
// file. Safe for concurrent use.
type NonASCII struct {
	mu    sync.Mutex
	files map[string]nonASCIILines
	bytes int
}

// nonASCIILines are the lines of a file that hold anything but ASCII, by number from 0.
type nonASCIILines map[int]string

// linesOf returns those of a file, which is read if it is not known; false if it cannot be, if it has too many of them, or if there is
// nothing to keep them in.
func (k *NonASCII) linesOf(path string) (nonASCIILines, bool) {
	if k == nil {
		return nil, false
	}
	k.mu.Lock()
	lines, ok := k.files[path]
	k.mu.Unlock()
	if ok {
		return lines, true
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, false
	}
	lines = readNonASCII(data)
	return lines, k.keep(path, lines)
}

// keep remembers the lines of a file, in the place of those of all others if there are too many; false if those of the file alone are.
func (k *NonASCII) keep(path string, lines nonASCIILines) bool {
	size := lines.size()
	if size > maxNonASCII {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.forget(path)
	if k.files == nil || k.bytes+size > maxNonASCII {
		k.files, k.bytes = map[string]nonASCIILines{}, 0
	}
	k.files[path] = lines
	k.bytes += size
	return true
}

// Forget has a changed file read again.
func (k *NonASCII) Forget(path string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.forget(path)
}

// forget is Forget. Callers hold mu.
func (k *NonASCII) forget(path string) {
	k.bytes -= k.files[path].size()
	delete(k.files, path)
}

func readNonASCII(data []byte) (lines nonASCIILines) {
	line := 0
	for len(data) > 0 {
		wide := indexNonASCII(data)
		line += bytes.Count(data[:wide], []byte("\n"))
		if wide == len(data) {
			break
		}
		start := bytes.LastIndexByte(data[:wide], '\n') + 1
		end := len(data)
		if n := bytes.IndexByte(data[wide:], '\n'); n >= 0 {
			end = wide + n
		}
		if lines == nil {
			lines = nonASCIILines{}
		}
		lines[line] = string(bytes.TrimSuffix(data[start:end], []byte("\r")))
		data = data[end:]
	}
	return lines
}

// indexNonASCII returns where the first byte is that is not ASCII, the length if none is.
func indexNonASCII(data []byte) int {
	for i, b := range data {
		if b >= utf8.RuneSelf {
			return i
		}
	}
	return len(data)
}

// size is about what they take, in bytes.
func (l nonASCIILines) size() (bytes int) {
	const entry = 64
	for _, line := range l {
		bytes += entry + len(line)
	}
	return bytes
}

// span converts a range of the server's in the file.
func (l nonASCIILines) span(r protocol.Range) Range {
	return Range{Start: l.position(r.Start), End: l.position(r.End)}
}

func (l nonASCIILines) position(p protocol.Position) Position {
	column := int(p.Character)
	if line, ok := l[int(p.Line)]; ok {
		column = BytesBefore(line, column)
	}
	return Position{Line: int(p.Line) + 1, Column: column + 1}
}
