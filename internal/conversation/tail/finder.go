package tail

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tidepool/internal/transcript"
)

// Options say whose transcripts are looked for.
type Options struct {
	Home    string              // the user's home directory
	Getenv  func(string) string // nil: os.Getenv
	Sources []transcript.Source // nil: all
	Dirs    []string            // the project's checkouts: absolute, resolved
}

// A Finder finds and opens the transcripts of one project. It is safe for concurrent use.
type Finder struct {
	dirs  []string
	roots []root

	mu     sync.Mutex
	owners map[ownerKey]owner // of the files that were found at the last look
}

// A root is the directory of one source.
type root struct {
	source transcript.Source
	path   string // as the source names it
}

// NewFinder returns a Finder. Nothing is looked at yet.
func NewFinder(o Options) *Finder {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Sources == nil {
		o.Sources = transcript.Sources()
	}
	f := &Finder{dirs: o.Dirs, owners: map[ownerKey]owner{}}
	for _, s := range o.Sources {
		f.roots = append(f.roots, root{source: s, path: filepath.Clean(s.Root(o.Home, o.Getenv))})
	}
	return f
}

// A Transcript is a file of the project as it was when it was found.
type Transcript struct {
	Path   string // absolute
	Source transcript.Source
	transcript.File
	Device, Inode uint64
	Size          int64 // bytes
	ModTime       time.Time
}

// Found is what there is.
type Found struct {
	Transcripts []Transcript // the last modified first
	Refused     []Refused    // what is named like a transcript and cannot be read, at most maxRefused
	More        int          // further ones
}

// A Refused file is not read.
type Refused struct {
	Path string
	Why  string // without text of the file
}

const maxRefused = 100

func (f *Found) refuse(path, why string) {
	if len(f.Refused) == maxRefused {
		f.More++
		return
	}
	f.Refused = append(f.Refused, Refused{path, why})
}

// Walk looks for all transcripts of the project. A source that is not installed has none. The error is the context's.
func (f *Finder) Walk(ctx context.Context) (Found, error) {
	var all Found
	seen := map[ownerKey]owner{}
	for _, likely := range []bool{true, false} {
		if err := f.walk(ctx, likely, &all, seen); err != nil {
			return Found{}, err
		}
	}
	f.mu.Lock()
	f.owners = seen
	f.mu.Unlock()
	return all, nil
}

// walk looks into the groups whose names are those of the project's directories, or into all others: the name of a group loses
// information, so that only what the files say counts.
func (f *Finder) walk(ctx context.Context, likely bool, all *Found, seen map[ownerKey]owner) error {
	for _, r := range f.roots {
		err := r.visit(func(rel string, info os.FileInfo, why string) error {
			group, _, _ := strings.Cut(rel, "/")
			if (rel == "" || f.isLikely(r.source, group)) != likely {
				return ctx.Err()
			}
			path := filepath.Join(r.path, filepath.FromSlash(rel))
			file, ok := r.source.File(rel)
			if why != "" && (ok || info == nil) && likely {
				all.refuse(path, why) // in the project's own groups; elsewhere nobody knows whose it is
			}
			if why != "" || !ok {
				return ctx.Err()
			}
			t := transcriptOf(path, r.source, file, info)
			o := f.ownerOf(t)
			seen[ownerKey{path, t.identity()}] = o
			switch {
			case o.why != "":
				all.refuse(path, o.why)
			case o.ours:
				all.Transcripts = append(all.Transcripts, t)
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	slices.SortFunc(all.Transcripts, func(a, b Transcript) int {
		return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path, b.Path))
	})
	return nil
}

// Locate returns what the path of a file says; false if no source keeps transcripts there. Nothing is looked at.
func (f *Finder) Locate(path string) (source transcript.Source, file transcript.File, ok bool) {
	r, rel, ok := f.below(path)
	if ok {
		file, ok = r.source.File(rel)
	}
	return r.source, file, ok
}

// below returns the root that a path is below, and the rest of the path, parted by slashes.
func (f *Finder) below(path string) (root, string, bool) {
	for _, r := range f.roots {
		if rel, ok := strings.CutPrefix(filepath.Clean(path), r.path+string(filepath.Separator)); ok {
			return r, filepath.ToSlash(rel), true
		}
	}
	return root{}, "", false
}

// isLikely reports whether a group has the name that Claude Code gives one of the project's directories or one below it. Of a
// source that does not group by project, each is.
func (f *Finder) isLikely(s transcript.Source, group string) bool {
	return !s.ByProject || slices.ContainsFunc(f.dirs, func(dir string) bool { return strings.HasPrefix(group, slug(dir)) })
}

// maxSlug is how many bytes of a directory's name Claude Code keeps.
const maxSlug = 200

// slug replaces what is no letter or digit by a hyphen.
func slug(dir string) string {
	s := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, dir)
	return s[:min(len(s), maxSlug)]
}

// visit calls the function with every file below the root that may be a transcript, in the order of their names, until it
// returns an error. Links are not followed; why says of one, and of a directory that cannot be read, the root too, that it is refused.
func (r root) visit(visit func(rel string, info os.FileInfo, why string) error) error {
	return r.visitDir("", visit)
}

func (r root) visitDir(rel string, visit func(rel string, info os.FileInfo, why string) error) error {
	entries, err := os.ReadDir(filepath.Join(r.path, rel))
	if err != nil {
		if os.IsNotExist(err) {
			return nil
		}
		return visit(rel, nil, cmp.Or(lasting(err), "the system does not read it"))
	}
	for _, e := range entries {
		below := filepath.ToSlash(filepath.Join(rel, e.Name()))
		switch {
		case e.IsDir() && r.source.Dir(below):
			err = r.visitDir(below, visit)
		case !e.IsDir() && strings.HasSuffix(e.Name(), ".jsonl"):
			err = visitFile(e, below, visit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func visitFile(e os.DirEntry, rel string, visit func(rel string, info os.FileInfo, why string) error) error {
	info, err := e.Info()
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return visit(rel, nil, cmp.Or(lasting(err), "the system does not read it"))
	}
	return visit(rel, info, refusal(info))
}
