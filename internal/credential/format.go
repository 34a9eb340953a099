package credential

import "strings"

// netrc finds the passwords of a .netrc (GNU inetutils, "The .netrc file"). Macros are left out.
func netrc(text string, found func(name, value string)) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		words := strings.Fields(line)
		for i := 0; i+1 < len(words); i++ {
			switch words[i] {
			case "password":
				found(words[i], strings.Trim(words[i+1], `"`))
				i++
			case "machine", "login", "account":
				i++
			}
		}
	}
}

// addresses finds the passwords of a file of URLs, a line each, as git-credential-store writes them.
func addresses(text string, found func(name, value string)) {
	for line := range strings.Lines(text) {
		for _, password := range addressPasswords(strings.TrimSpace(line)) {
			found("password", password)
		}
	}
}

// pairs finds the values of lines of name and value with one of some separators between them: ini, TOML, YAML, and JSON with a pair a
// line. The first separator counts that is followed by the value, so that //host/:_authToken=x has the name //host/:_authToken.
func pairs(separators string) func(text string, found func(name, value string)) {
	return func(text string, found func(name, value string)) {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			at := strings.IndexAny(line, separators)
			if at < 0 || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") {
				continue
			}
			found(strings.Trim(line[:at], " \t\"'"), strings.Trim(line[at+1:], " \t\"',"))
		}
	}
}
