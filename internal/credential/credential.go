// Package credential finds the secrets of a user and a project where programs keep them: in the environment, in .env files, .netrc,
// .npmrc, git's credentials and their like.
//
// It is for taking values out of texts. So a value counts only if it is unlikely to stand in a text for another reason: it has 8
// characters and more, and is no word, number, path, address or placeholder.
//
// The files may have been brought along by a clone: no link is followed, only regular files of at most 256 KB are read, and what is not
// read is told. The agent imports this package. It depends on os, strings and their like only.
package credential

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/environ"
)

// maxFound bounds the secrets of one Source.
const maxFound = 1000

// A Credential is a secret value and what it is the value of: a variable, or a file and what stands there. The name is for people.
type Credential struct{ Name, Value string }

// A Source says where to look. The zero Source has nothing.
type Source struct {
	Environ []string // NAME=value
	Project string   // its directory, absolute; "": none
	Home    string   // the user's, absolute; "": none
	// Names are variables whose values count whatever they look like, and paths of further files that are read as .env is, relative to
	// the project: what contains a / or begins with a dot is a path.
	Names []string
}

// Find returns the secrets, each value once, and why something was not read. It returns 1,000 at most and says if there are more. A file
// that does not exist has nothing.
func (s Source) Find() (found []Credential, unread []error) {
	f := finder{known: make(map[string]bool)}
	for _, entry := range s.Environ {
		name, value, _ := strings.Cut(entry, "=")
		if slices.Contains(s.Names, name) {
			f.add(name, value)
			continue
		}
		f.judge(name, value)
	}
	for _, file := range s.files() {
		f.each(file.path, file.parse, isSecret)
	}
	if s.Project != "" {
		f.dotenv(s.Project, s.Names)
	}
	if f.more {
		f.unread = append(f.unread, fmt.Errorf("there are more than %d secrets", maxFound))
	}
	return f.found, f.unread
}

// lookup returns the value of a variable, "" if there is none.
func (s Source) lookup(name string) string {
	for _, entry := range s.Environ {
		if value, is := strings.CutPrefix(entry, name+"="); is {
			return value
		}
	}
	return ""
}

// A credentialFile is a file of a known format.
type credentialFile struct {
	path  string
	parse func(text string, found func(name, value string))
}

// files returns the files of known formats.
func (s Source) files() []credentialFile {
	var all []credentialFile
	add := func(dir, below string, parse func(string, func(name, value string))) {
		if dir != "" {
			all = append(all, credentialFile{filepath.Join(dir, below), parse})
		}
	}
	config := s.lookup("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) {
		config = ""
		if s.Home != "" {
			config = filepath.Join(s.Home, ".config")
		}
	}
	for _, dir := range []string{s.Home, s.Project} {
		add(dir, ".netrc", netrc)
		add(dir, ".npmrc", pairs("="))
		add(dir, ".yarnrc.yml", pairs(":"))
		add(dir, ".pypirc", pairs("=:"))
	}
	if path := s.lookup("NETRC"); filepath.IsAbs(path) {
		add(path, "", netrc)
	}
	add(s.Home, ".git-credentials", addresses)
	add(config, "git/credentials", addresses)
	add(config, "gh/hosts.yml", pairs(":"))
	add(s.Home, ".aws/credentials", pairs("="))
	add(s.Home, ".cargo/credentials.toml", pairs("="))
	add(s.Home, ".docker/config.json", pairs(":"))
	return all
}

// A finder collects the secrets of one Source.
type finder struct {
	found  []Credential
	known  map[string]bool // by value
	more   bool            // there are more than maxFound
	unread []error
}

// judge adds the value of a variable if it is a secret.
func (f *finder) judge(name, value string) {
	if isSecret(name, value) {
		f.addAll(name, value)
	}
}

// addAll adds a value, and what in it is a secret by itself.
func (f *finder) addAll(title, value string) {
	f.add(title, value)
	for _, part := range parts(value) {
		if !isPlain(part) {
			f.add(title, part)
		}
	}
}

// add adds a value that is long enough.
func (f *finder) add(title, value string) {
	value = strings.TrimSpace(value)
	if len(value) < minLength || f.known[value] {
		return
	}
	if len(f.found) == maxFound {
		f.more = true
		return
	}
	f.known[value] = true
	f.found = append(f.found, Credential{title, value})
}

// each adds what a format finds in a file and is a secret.
func (f *finder) each(path string, parse func(string, func(name, value string)), secret func(name, value string) bool) {
	text, err := readFile(path)
	if err != nil {
		f.unread = append(f.unread, err)
		return
	}
	parse(text, func(name, value string) {
		if title := filepath.Base(path) + " " + name; secret(name, value) {
			f.addAll(title, value)
		}
	})
}

// isSecret reports whether the value of a variable is one to look for in texts.
func isSecret(name, value string) bool {
	if !environ.Secret(name, value) {
		return false
	}
	if environ.Token(value) || len(addressPasswords(value)) > 0 {
		return len(value) >= minLength
	}
	return !describes(name) && !isPlain(value)
}
