// Package environ decides which environment variables the daemon and its children may have.
//
// The daemon lives for days and starts language servers, which start compilers and package managers; none of them
// needs the credentials of the shell that happened to start it first. What looks like a secret cannot be listed: a
// key may have any name. So the list is of what is known to be harmless and useful, and everything else stays out.
// The values of listed variables are checked besides: a token under a harmless name is left out, and a URL loses its
// user and password.
//
// The package holds no state and imports nothing but strings and slices.
package environ

import (
	"slices"
	"strings"
)

// Harmless returns the entries of env ("NAME=value") that a daemon may have, in their order: those of the list, their
// values without credentials, and those that pass names, whatever they hold. It does not change env, and applying it
// twice gives the same as applying it once.
func Harmless(env, pass []string) []string {
	kept := make([]string, 0, len(env))
	for _, entry := range env {
		name, value, found := strings.Cut(entry, "=")
		switch {
		case !found:
		case slices.Contains(pass, name):
			kept = append(kept, entry)
		case listed(name):
			if clean, ok := cleaned(name, value); ok {
				kept = append(kept, name+"="+clean)
			}
		}
	}
	return kept
}

// cleaned returns the value of a listed variable without credentials; false if it is one.
func cleaned(name, value string) (string, bool) {
	if Token(value) {
		return "", false
	}
	if name == "TIDEPOOL_RECALL_TEAM" { // without its user and sslmode another server might be trusted, so it is whole or not there
		return value, plainDatabase(value)
	}
	if proxy(name) && !strings.Contains(value, "://") { // proxies are also given as user:password@host:port
		return value[strings.LastIndexByte(value, '@')+1:], true
	}
	return withoutCredentials(value)
}

// proxy reports whether a variable names a proxy.
func proxy(name string) bool { return strings.HasSuffix(strings.ToLower(name), "_proxy") }

// Withheld returns the names of the variables of env that Harmless leaves out, sorted, for messages: names tell what is
// missing, values nothing.
func Withheld(env, pass []string) []string {
	var names []string
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		if len(Harmless([]string{entry}, pass)) == 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
