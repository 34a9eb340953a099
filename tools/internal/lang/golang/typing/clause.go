package typing

import (
	"bytes"
	"go/parser"
	"go/token"
	"io"
	"os"
)

// clauseRead is how much of a file is read for its package clause, in bytes. One whose comments end later is read to its end.
const clauseRead = 16 << 10

// packageName returns the name in the package clause of the file at a path, "" if it has none or cannot be read. A file of megabytes is not
// read whole for that.
func packageName(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // a pipe would never end
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, clauseRead))
	if err != nil {
		return ""
	}
	if len(head) < clauseRead {
		return packageNameIn(head)
	}
	if name := packageNameIn(head[:bytes.LastIndexByte(head, '\n')+1]); name != "" { // the name may go on behind what was read
		return name
	}
	rest, err := io.ReadAll(f)
	if err != nil {
		return ""
	}
	return packageNameIn(append(head, rest...))
}

func packageNameIn(src []byte) string {
	parsed, _ := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly|parser.SkipObjectResolution)
	if parsed == nil || parsed.Name == nil || parsed.Name.Name == "_" {
		return ""
	}
	return parsed.Name.Name
}
