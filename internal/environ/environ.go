// Package environ tells which environment variables hold secrets and takes them out.
//
// The daemon lives for days and starts language servers, which start compilers and package managers; none of
// them needs the credentials of the shell that happened to start it first. A variable is taken for a secret
// by the words of its name, by a password inside a URL, or by the prefix of a well-known kind of token. In
// doubt it is one: leaving out a harmless variable costs nothing here, passing on a key may.
//
// The package holds no state and imports only strings: programs that start for every hook use it.
package environ

import "strings"

// Scrub returns the entries of env ("NAME=value") that are not secret, in their order. It does not change
// env, and scrubbing twice gives the same as scrubbing once.
func Scrub(env []string) []string {
	kept := make([]string, 0, len(env))
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		if !Secret(name, value) {
			kept = append(kept, entry)
		}
	}
	return kept
}

// Secret reports whether the variable must not be handed to a process that does not need it.
func Secret(name, value string) bool {
	name = strings.ToUpper(name)
	if allowed(name) {
		return false
	}
	return secretName(name) || secretValue(value)
}

// allowed holds the exceptions: names that look like secrets and are none, and the ones without which
// the daemon or a language server could not do its work.
func allowed(name string) bool {
	switch name {
	case "PWD", "OLDPWD", // directories
		"SSH_AUTH_SOCK", "SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "GIT_ASKPASS", "SUDO_ASKPASS", // paths; git fetches modules with them
		"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "GOPROXY", "GOSUMDB", // may hold a password; modules arrive through them
		"GEMMA_ENDPOINT", "TIDEPOOL_SCOUT_ENDPOINT", // the daemon's own settings
		"TOKENIZERS_PARALLELISM":
		return true
	}
	// MAX_THINKING_TOKENS, MAX_MCP_OUTPUT_TOKENS, CLAUDE_CODE_MAX_OUTPUT_TOKENS count tokens.
	return strings.HasSuffix(name, "_TOKENS") && strings.Contains("_"+name, "_MAX_")
}

func secretName(name string) bool {
	if strings.HasPrefix(name, "CLAUDE_CODE_MESSAGING_") || strings.HasSuffix(name, "_PWD") {
		return true
	}
	for _, part := range [...]string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "APIKEY", "CONNECTION_STRING"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	for word := range strings.SplitSeq(name, "_") {
		switch word {
		case "KEY", "KEYS", "PASS", "SSHPASS", "PAT", "JWT", "BEARER", "AUTH", "AUTHORIZATION", "COOKIE", "HEADERS", "PRIVATE", "DSN":
			return true
		}
	}
	return false
}

func secretValue(value string) bool {
	for _, prefix := range [...]string{"-----BEGIN ", "sk-", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "eyJhbGci"} {
		if strings.HasPrefix(value, prefix) {
			return true
		}
	}
	return holdsPassword(value)
}

// holdsPassword finds scheme://user:password@host anywhere in value.
func holdsPassword(value string) bool {
	for {
		_, rest, found := strings.Cut(value, "://")
		if !found {
			return false
		}
		authority := rest
		if end := strings.IndexAny(rest, "/?# \t\n,"); end >= 0 {
			authority = rest[:end]
		}
		user, _, at := strings.Cut(authority, "@")
		if at && strings.Contains(user, ":") {
			return true
		}
		value = rest
	}
}
