package setup

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tidepool/internal/setup/client"
)

// A clientSite is a file of a client other than Claude Code.
type clientSite struct {
	client.File
	site // without a kind
}

// clientSites returns the files of a client in the scope of the options.
func (o Options) clientSites(c client.Client) []clientSite {
	var all []clientSite
	if o.Scope == ScopeUser {
		for _, f := range c.UserFiles(client.User{Home: o.Home, Getenv: o.getenv, Exists: exists}) {
			backup := f.Path + ".tidepool-backup"
			all = append(all, clientSite{f, site{path: f.Path, backup: backup, ours: backup, mode: 0o600}})
		}
		return all
	}
	for _, f := range c.ProjectFiles(o.Project, exists) {
		backup := filepath.Join(o.stateDir(), "backup", c.Name+"-"+filepath.Base(f.Path))
		all = append(all, clientSite{f, site{path: f.Path, backup: backup, ours: o.stateDir(), mode: 0o644}})
	}
	return all
}

func (o Options) getenv(name string) string {
	if o.Getenv == nil {
		return ""
	}
	return o.Getenv(name)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// clientProgram returns how a client's file names the agent. A project's file may be committed, so it has the name alone if
// PATH leads to this agent.
func (o Options) clientProgram() string {
	if o.Scope != ScopeUser && o.leadsToAgent(program) {
		return program
	}
	return o.Agent
}

// leadsToAgent reports whether a program's name or path is that of the agent.
func (o Options) leadsToAgent(name string) bool {
	is, err := os.Stat(o.programAt(name))
	meant, err2 := os.Stat(o.Agent)
	return err == nil && err2 == nil && os.SameFile(is, meant)
}

// programAt returns the first program of that name on PATH; a path stays as it is.
func (o Options) programAt(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	for _, dir := range filepath.SplitList(o.getenv("PATH")) {
		if path := filepath.Join(dir, name); filepath.IsAbs(dir) && runnable(path) == nil {
			return path
		}
	}
	return name
}

// putClient plans to put our entries into the files of a client.
func (p *Plan) putClient(o Options, c client.Client) error {
	command := o.clientProgram()
	for _, s := range o.clientSites(c) {
		f, err := o.lookPlain(s.path)
		if err != nil {
			return err
		}
		p.looks(s.site, f)
		after, err := s.put(f, command)
		if err != nil {
			return err
		}
		if f.exists() && bytes.Equal(f.data, after) {
			continue
		}
		if err := p.change(f, after, s.mode); err != nil {
			return err
		}
		if err := p.keepClientOriginal(s, f); err != nil {
			return err
		}
	}
	if len(p.Changes) > 0 && o.Scope != ScopeUser {
		p.noteClient(c, command)
	}
	return nil
}

// noteClient adds what a person has to know of a client's files in a project.
func (p *Plan) noteClient(c client.Client, command string) {
	if c.Once != "" {
		p.Notes = append(p.Notes, c.Once)
	}
	if command != program {
		p.Notes = append(p.Notes, "No "+program+" on PATH is this program, so the file names it by its absolute path, which fits this machine only: "+
			"put "+filepath.Dir(command)+" on PATH, then run this again.")
	}
}

// takeOutClient plans to take our entries out of the files of a client.
func (p *Plan) takeOutClient(o Options, c client.Client) error {
	for _, s := range o.clientSites(c) {
		f, err := o.lookPlain(s.path)
		if err != nil {
			return err
		}
		p.looks(s.site, f)
		found, err := s.find(f)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		if err := p.takeOutClientFile(s, f); err != nil {
			return err
		}
	}
	return nil
}

// leaveClients adds which files of other clients keep entries of ours.
func (p *Plan) leaveClients(o Options) {
	for _, c := range client.All() {
		for _, s := range o.clientSites(c) {
			f, err := o.lookPlain(s.path)
			if err != nil {
				continue // agent doctor says so
			}
			if found, err := s.find(f); err == nil && len(found) > 0 {
				p.Left = append(p.Left, "the entries in "+s.path+"; `agent uninit --client "+c.Name+o.Scope.flag()+"` takes them out")
			}
		}
	}
}

func (p *Plan) takeOutClientFile(s clientSite, f file) error {
	original, err := s.original()
	if err != nil {
		return err
	}
	if s.becomes(original, f) {
		p.backups = append(p.backups, Change{Path: original.path, Before: original.data, info: original.info})
		return p.change(f, original.data, s.mode)
	}
	after := f.data
	for _, part := range s.Parts {
		if after, err = part.Remove(after); err != nil {
			return fileError(f.path, err)
		}
	}
	if !s.isPristine(original) && strings.TrimSpace(string(after)) == strings.TrimSpace(s.Fresh) {
		after = nil // there was no file
	}
	return p.change(f, after, s.mode)
}

// put returns the text of a file with all entries.
func (s clientSite) put(f file, command string) (text []byte, err error) {
	if text = f.data; len(bytes.TrimSpace(text)) == 0 {
		text = []byte(s.Fresh)
	}
	for _, part := range s.Parts {
		if text, err = part.Put(text, command); err != nil {
			return nil, fileError(f.path, err)
		}
	}
	return text, nil
}

// find returns the entries that are ours.
func (s clientSite) find(f file) (all []client.Entry, err error) {
	for _, part := range s.Parts {
		found, err := part.Find(f.data)
		if err != nil {
			return nil, fileError(f.path, err)
		}
		all = append(all, found...)
	}
	return all, nil
}

// isPristine reports whether there is an original with nothing of ours in it.
func (s clientSite) isPristine(original file) bool {
	found, err := s.find(original)
	return original.exists() && err == nil && len(found) == 0
}

// becomes reports whether original is pristine, and putting our entries into it gives what f holds.
func (s clientSite) becomes(original, f file) bool {
	found, err := s.find(f)
	if err != nil || len(found) == 0 || !s.isPristine(original) {
		return false
	}
	was, err := s.put(original, found[0].Command)
	return err == nil && bytes.Equal(was, f.data)
}

// keepClientOriginal plans what the backup of f holds once f is changed.
func (p *Plan) keepClientOriginal(s clientSite, f file) error {
	old, err := s.original()
	if err != nil {
		return err
	}
	if s.becomes(old, f) {
		return nil // it is still what there was before us
	}
	if old.exists() || f.exists() {
		p.backups = append(p.backups, Change{old.path, old.data, f.data, old.info, 0o600})
	}
	return nil
}

// lookPlain is look for a file of another client: no link is followed. A clone may bring one that leads to a file of the user.
func (o Options) lookPlain(path string) (file, error) {
	for at := path; at != o.Project && at != filepath.Dir(at); at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return file{}, &FileError{Path: at, Problem: "a symbolic link, which is not followed here", hint: "replace it by a file, or write the entry by hand: docs/clients.md has it"}
		}
		if o.Scope == ScopeUser {
			break // the directories are the user's own
		}
	}
	return look(path)
}

// fileError names the file of an error of package client.
func fileError(path string, err error) error {
	if wrong, is := errors.AsType[*client.Error](err); is {
		return &FileError{Path: path, Line: wrong.Line, Problem: wrong.Problem, hint: wrong.Hint()}
	}
	return err
}
