package work

import (
	"fmt"
	"strconv"
	"strings"
)

// A Branch is what is checked out.
type Branch struct {
	Name     string `json:"name"`               // "": a commit, not a branch
	Commit   string `json:"commit"`             // "": there is none yet
	Upstream string `json:"upstream,omitempty"` // "origin/main"; "": none
	Ahead    int    `json:"ahead"`              // commits that the upstream has not
	Behind   int    `json:"behind"`             // commits that only the upstream has
	Gone     bool   `json:"upstream_gone,omitempty"`
}

// A DirtyFile is a file that differs from the last commit.
type DirtyFile struct {
	Path  string `json:"path"`           // below the top of the checkout, with slashes
	State string `json:"state"`          // git's two letters, of the index and of the file: ".M", "A.", "R.", "UU", "??"
	From  string `json:"from,omitempty"` // what it was called before
}

// parsePorcelain reads what git status --porcelain=v2 --branch -z prints. Format: git-status(1), "Porcelain Format Version
// 2": entries end with NUL, paths are as they are, and the old path of a rename is an entry of its own.
func parsePorcelain(text string) (Branch, []DirtyFile, error) {
	var b Branch
	dirty := []DirtyFile{}
	upstreamCounted := false
	entries := strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
	for i := 0; i < len(entries); i++ {
		entry := entries[i]
		if header, is := strings.CutPrefix(entry, "# "); is {
			upstreamCounted = b.header(header) || upstreamCounted
			continue
		}
		f, renamed, err := parseEntry(entry)
		if err != nil {
			return b, nil, err
		}
		if renamed {
			i++
			if i == len(entries) {
				return b, nil, fmt.Errorf("git status: the old name of %q is missing", f.Path)
			}
			f.From = entries[i]
		}
		if f.Path != "" {
			dirty = append(dirty, f)
		}
	}
	b.Gone = b.Upstream != "" && !upstreamCounted
	return b, dirty, nil
}

// header reads one line about the branch, and says whether it counts commits against the upstream.
func (b *Branch) header(line string) (counted bool) {
	key, value, _ := strings.Cut(line, " ")
	switch key {
	case "branch.oid":
		if value != "(initial)" {
			b.Commit = value
		}
	case "branch.head":
		if value != "(detached)" {
			b.Name = value
		}
	case "branch.upstream":
		b.Upstream = value
	case "branch.ab":
		ahead, behind, _ := strings.Cut(value, " ")
		b.Ahead, _ = strconv.Atoi(strings.TrimPrefix(ahead, "+"))
		b.Behind, _ = strconv.Atoi(strings.TrimPrefix(behind, "-"))
		return true
	}
	return false
}

// parseEntry reads the entry of one file; "" for an empty one and for what is ignored.
func parseEntry(entry string) (f DirtyFile, renamed bool, err error) {
	if entry == "" || entry[0] == '!' {
		return DirtyFile{}, false, nil
	}
	// How many fields stand before the path.
	before, known := map[byte]int{'1': 8, '2': 9, 'u': 10, '?': 1}[entry[0]]
	fields := strings.SplitN(entry, " ", before+1)
	if !known || len(fields) <= before {
		return DirtyFile{}, false, fmt.Errorf("git status: cannot read %q", entry)
	}
	f = DirtyFile{Path: fields[before], State: "??"}
	if entry[0] != '?' {
		f.State = fields[1]
	}
	return f, entry[0] == '2', nil
}
