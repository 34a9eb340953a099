package packages

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"tidepool/internal/golang/fact"
)

// A revised text is that of a file with edits.
type revised struct {
	disk  string // the text without them
	text  string
	edits []fact.Edit // in the order of their places
}

// revise returns the files that edits change, by path.
func revise(edits []fact.Edit) (map[string]revised, error) {
	texts := make(map[string]revised)
	inOrder := slices.SortedStableFunc(slices.Values(edits), func(a, b fact.Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	for _, e := range inOrder {
		r, ok := texts[e.Path]
		if !ok {
			data, err := os.ReadFile(e.Path)
			if err != nil {
				return nil, fmt.Errorf("reading what is to be edited: %w", err)
			}
			r = revised{disk: string(data), text: string(data)}
		}
		if e.Start < 0 || e.End < e.Start || e.End > len(r.disk) {
			return nil, fmt.Errorf("%s has no bytes %d to %d; it may have changed just now", e.Path, e.Start, e.End)
		}
		if n := len(r.edits); n > 0 && e.Start < r.edits[n-1].End {
			return nil, fmt.Errorf("bytes %d to %d of %s are edited twice", e.Start, r.edits[n-1].End, e.Path)
		}
		grown := len(r.text) - len(r.disk)
		r.text = r.text[:e.Start+grown] + e.New + r.text[e.End+grown:]
		r.edits = append(r.edits, e)
		texts[e.Path] = r
	}
	return texts, nil
}

// home returns the place on the disk of what stands at an offset of the text: the beginning of the edit that has put it there,
// if one has.
func (r revised) home(path string, offset int) fact.Place {
	grown := 0
	for _, e := range r.edits {
		start := e.Start + grown
		if offset < start {
			break
		}
		if offset < start+len(e.New) {
			return r.place(path, e.Start)
		}
		grown += len(e.New) - (e.End - e.Start)
	}
	return r.place(path, offset-grown)
}

func (r revised) place(path string, offset int) fact.Place {
	before := r.disk[:min(max(offset, 0), len(r.disk))]
	return fact.Place{Path: path, Line: strings.Count(before, "\n") + 1, Column: len(before) - strings.LastIndexByte(before, '\n')}
}
