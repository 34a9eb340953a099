package draft

import (
	"cmp"
	"regexp"
	"slices"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// A fault is what makes an error the same before and after a change.
type fault struct {
	path    string
	at      text.Position // on the disk
	message string        // without what stands in it of places
}

// placeIn finds places in messages, such as that of the other declaration of a name.
var placeIn = regexp.MustCompile(`:\d+(:\d+)?\b`)

// Fresh returns the errors in now that are not in before, with places as on the disk, sorted. A place in before counts in
// the text on the disk, one in now in that of files.
func Fresh(before, now session.Diagnostics, files map[string]File) []session.Problem {
	known := map[fault]int{}
	for path, found := range before {
		settle := settlement(files[path])
		for _, p := range found.First {
			p.At = settle(p.At)
			known[faultOf(p)]++
		}
	}
	var fresh []session.Problem
	for path, found := range now {
		home := homeward(files[path])
		for _, p := range found.First {
			p.At = home(p.At)
			if of := faultOf(p); known[of] > 0 {
				known[of]--
			} else {
				fresh = append(fresh, p)
			}
		}
	}
	slices.SortStableFunc(fresh, func(a, b session.Problem) int { return cmp.Or(cmp.Compare(a.Path, b.Path), a.Compare(b)) })
	return fresh
}

func faultOf(p session.Problem) fault {
	return fault{path: p.Path, at: p.At, message: placeIn.ReplaceAllString(p.Message, "")}
}

// homeward returns a function that takes a place in a file with edits to one on the disk.
func homeward(f File) func(text.Position) text.Position {
	if len(f.edits) == 0 {
		return func(at text.Position) text.Position { return at }
	}
	edited, disk := text.New(f.Text()), text.New(f.disk)
	return func(at text.Position) text.Position { return disk.At(f.origin(edited.Offset(at))) }
}

// settlement returns a function that takes a place on the disk to where homeward puts what stands there.
func settlement(f File) func(text.Position) text.Position {
	if len(f.edits) == 0 {
		return func(at text.Position) text.Position { return at }
	}
	disk := text.New(f.disk)
	return func(at text.Position) text.Position { return disk.At(f.settle(disk.Offset(at))) }
}
