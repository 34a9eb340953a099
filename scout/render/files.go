package render

import (
	"path"
	"strings"
)

// A file is the rows of one file.
type file struct {
	path string
	rows []row
}

// filesOf puts rows of the same file together.
func filesOf(rows []row) []file {
	var files []file
	for _, r := range rows {
		if last := len(files) - 1; last >= 0 && files[last].path == r.file {
			files[last].rows = append(files[last].rows, r)
		} else {
			files = append(files, file{r.file, []row{r}})
		}
	}
	return files
}

// A directory is files that follow each other in one directory, whose path is said once.
type directory struct {
	path  string // with a slash at its end; "": the files have their whole paths
	files []file
}

// directoriesOf puts files of the same directory together that follow each other.
func directoriesOf(files []file) []directory {
	var all []directory
	for len(files) > 0 {
		dir := path.Dir(files[0].path)
		n := 1
		for n < len(files) && path.Dir(files[n].path) == dir {
			n++
		}
		d := directory{files: files[:n]}
		if n > 1 && dir != "." {
			d.path = dir + "/"
		}
		all, files = append(all, d), files[n:]
	}
	return all
}

// write writes a directory: its path, if it is said, and below it the files.
func (d directory) write(b *strings.Builder, l legend, builds map[string]string) {
	indent := ""
	if d.path != "" {
		writeLine(b, d.path)
		indent = " "
	}
	for _, f := range d.files {
		f.write(b, l, indent, strings.TrimPrefix(f.path, d.path), builds[f.path])
	}
}

// write writes a file under a name, and which builds have it: a single row behind the name, as "mux.go:12,15 Mux.Post", and several
// below.
func (f file) write(b *strings.Builder, l legend, indent, name, build string) {
	if len(f.rows) == 1 {
		writeLine(b, indent+name+":"+strings.TrimPrefix(f.rows[0].text(l, ""), " ")+build)
		return
	}
	writeLine(b, indent+name+build)
	of := ""
	for _, r := range f.rows {
		writeLine(b, indent+r.text(l, of))
		of = ownerOf(r.in)
	}
}
