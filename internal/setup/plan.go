package setup

import (
	"bytes"
	"io/fs"
	"os"

	"github.com/rogpeppe/go-internal/diff"
)

// A Plan is what Init or Uninit would do.
type Plan struct {
	Changes []Change // in the order in which they are made; none: everything is as it should be
	Notes   []string // what a person has to do or to know, a sentence each
	Left    []string // what Uninit leaves of ours in files of Claude Code's, and what takes it out

	backups      []Change
	looked       []string           // files of the user beside which temporary ones may have been left
	makeStateDir func(string) error // nil: none is needed
	stateDir     string
	rename       func(from, to string) error // rename, except in tests of what happens when it fails
}

// A Change is what happens to one file.
type Change struct {
	Path   string // absolute; where symbolic links lead
	Before []byte // nil if there is no file
	After  []byte // nil if the file is removed

	info fs.FileInfo // of what is there
	mode fs.FileMode // of a file that is made anew
}

// Diff returns what the plan changes in files as a unified diff, "" if nothing.
func (p *Plan) Diff() string {
	var all bytes.Buffer
	for _, c := range p.Changes {
		before, after := c.Path, c.Path
		if c.Before == nil {
			before = os.DevNull
		}
		if c.After == nil {
			after = os.DevNull
		}
		all.Write(diff.Diff(before, c.Before, after, c.After))
	}
	return all.String()
}

// Init plans to put tidepool in. The error is a *UsageError or a *FileError where a person can do something about it.
func Init(o Options) (*Plan, error) {
	if err := o.checkPlace(); err != nil {
		return nil, err
	}
	if err := o.checkAgent(); err != nil {
		return nil, err
	}
	if err := o.checkShell(); err != nil {
		return nil, err
	}
	o.Scrub = o.Scrub || o.hasShell()
	p := &Plan{rename: rename}
	if o.hasState() {
		if o.MakeStateDir == nil {
			return nil, &UsageError{"nothing makes the state directory", "set Options.MakeStateDir"}
		}
		p.stateDir, p.makeStateDir = o.stateDir(), o.MakeStateDir
		if err := p.addConfig(o); err != nil {
			return nil, err
		}
	}
	if o.Client != nil {
		err := p.putClient(o, *o.Client)
		return p, err
	}
	targets, err := p.targets(o)
	if err != nil {
		return nil, err
	}
	for _, s := range targets {
		if err := p.put(s); err != nil {
			return nil, err
		}
	}
	if err := p.hide(o, targets); err != nil {
		return nil, err
	}
	p.noteInit(o)
	return p, nil
}

// Uninit plans to take tidepool out again, from the files of the project or those of the user; for ScopeLocal from what Init
// has made for one person alone, and with Scrub only the program that runs shell lines.
func Uninit(o Options) (*Plan, error) {
	if err := o.checkPlace(); err != nil {
		return nil, err
	}
	p := &Plan{rename: rename}
	if o.Client != nil {
		err := p.takeOutClient(o, *o.Client)
		return p, err
	}
	for _, s := range o.sources() {
		if err := p.takeOut(s); err != nil {
			return nil, err
		}
	}
	if o.Scope != ScopeUser && !o.Scrub {
		if err := p.exclude(o.Repository, nil, []string{o.localSite().path, o.serverSite().path}); err != nil {
			return nil, err
		}
	}
	p.noteUninit(o)
	p.leaveClients(o)
	if o.Scope == ScopeUser || o.Scrub || o.Scope == ScopeLocal && len(p.Left) > 0 {
		return p, nil
	}
	err := p.takeOutScorer(o)
	return p, err
}

// put plans to put our entries into one file.
func (p *Plan) put(s site) error {
	f, err := look(s.path)
	if err != nil {
		return err
	}
	p.looks(s, f)
	doc, err := parse(f.path, f.data)
	if err != nil {
		return err
	}
	had, err := s.kind.find(doc)
	if err != nil {
		return err
	}
	if err := s.kind.put(doc, s.agent); err != nil {
		return err
	}
	after := doc.bytes()
	if f.exists() && bytes.Equal(f.data, after) {
		return nil
	}
	if err := p.change(f, after, s.mode); err != nil {
		return err
	}
	if f.link {
		p.Notes = append(p.Notes, s.path+" is a symbolic link: "+f.path+" is what changes.")
	}
	if len(had) == 0 && s.kind == (server{}) {
		p.Notes = append(p.Notes, "Claude Code asks once whether to use the server "+serverName+
			" of this project: its tools need a yes.")
	}
	return p.keepOriginal(s, f, len(had) > 0)
}

// looks notes which files of the user were looked at.
func (p *Plan) looks(s site, f file) {
	p.looked = append(p.looked, f.path)
	if !isOwn(s.backup) {
		p.looked = append(p.looked, s.backup)
	}
}

// takeOut plans to take our entries out of one file.
func (p *Plan) takeOut(s site) error {
	f, err := look(s.path)
	if err != nil {
		return err
	}
	p.looks(s, f)
	if !f.exists() {
		return nil
	}
	doc, err := parse(f.path, f.data)
	if err != nil {
		return err
	}
	found, err := s.kind.find(doc)
	if err != nil || len(found) == 0 {
		return err
	}
	original, err := s.original()
	if err != nil {
		return err
	}
	if s.becomes(original, f) {
		p.backups = append(p.backups, Change{Path: original.path, Before: original.data, info: original.info})
		return p.change(f, original.data, s.mode)
	}
	removeAll(found)
	if len(doc.top.Members) == 0 && s.pristine(original) == nil && !f.link {
		return p.change(f, nil, s.mode) // there was no file
	}
	return p.change(f, doc.bytes(), s.mode)
}

// change plans to write after into f, or to remove f if after is nil.
func (p *Plan) change(f file, after []byte, mode fs.FileMode) error {
	if f.exists() && f.info.Mode().Perm()&0o200 == 0 {
		return &FileError{Path: f.path, Problem: "the file is read-only", hint: "make it writable (chmod u+w), or change what generates it"}
	}
	p.Changes = append(p.Changes, Change{f.path, f.data, after, f.info, mode})
	return nil
}
