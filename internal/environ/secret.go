package environ

import "strings"

// Secret reports whether a variable probably holds a secret, by the words of its name or the form of its value. It is
// for taking values out of texts, where a false alarm costs a line; what a process may have is decided by [Harmless].
func Secret(name, value string) bool {
	name = strings.ToUpper(name)
	return secretName(name) && !harmlessName(name) || Token(value) || holdsPassword(value)
}

// harmlessName holds the names that look like secrets and are none.
func harmlessName(name string) bool {
	switch name {
	case "PWD", "OLDPWD", "SSH_AUTH_SOCK", "SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "GIT_ASKPASS", "SUDO_ASKPASS", "TOKENIZERS_PARALLELISM":
		return true
	}
	// MAX_THINKING_TOKENS, MAX_MCP_OUTPUT_TOKENS, CLAUDE_CODE_MAX_OUTPUT_TOKENS count tokens.
	return strings.HasSuffix(name, "_TOKENS") && strings.Contains("_"+name, "_MAX_")
}

func secretName(name string) bool {
	if strings.HasPrefix(name, "CLAUDE_CODE_MESSAGING_") || strings.HasSuffix(name, "_PWD") || strings.HasSuffix(name, "KEY") {
		return true
	}
	for _, part := range [...]string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "CONNECTION_STRING", "WEBHOOK", "KUBECONFIG"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	for word := range strings.SplitSeq(name, "_") {
		switch word {
		case "KEYS", "PASS", "SSHPASS", "PAT", "JWT", "BEARER", "AUTH", "AUTHORIZATION", "COOKIE", "HEADERS", "PRIVATE", "DSN":
			return true
		}
	}
	return false
}

// holdsPassword reports whether a value has a URL with a password.
func holdsPassword(value string) bool {
	for {
		_, rest, found := strings.Cut(value, "://")
		if !found {
			return false
		}
		user, _, at := strings.Cut(rest[:endOf(rest, "/?# \t\n,")], "@")
		if at && strings.Contains(user, ":") {
			return true
		}
		value = rest
	}
}
