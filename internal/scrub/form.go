package scrub

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode"
)

// assignment is the name of the rules for passwords that are assigned to a name.
const assignment = "assignment"

// ownForms returns the rules for what gitleaks has none for. Each expression begins, but for what may be empty, with one of the
// rule's keywords: this makes it fast.
func ownForms() []*rule {
	forms := []*rule{
		{
			// A password may contain what a URL should not; the last @ of the word ends it.
			id: "url-password", keywords: []string{"://"},
			source:   `://[^\s/?#:@'"<>` + "`" + `]{0,100}:([^\s/'"<>` + "`" + `]{3,200})@[\w\[]`,
			isSecret: func(_, secret string) bool { return !isPlaceholder(secret) },
		},
		{
			id: "url-token", keywords: []string{"://"}, entropy: 3.5,
			source: `://([\w-]{20,200}):?@[\w\[]`,
		},
		{
			id: "authorization-header", keywords: []string{"authorization"}, entropy: 2.5,
			source:   `(?i)authorization["']?\s{0,3}[:=,]\s{0,3}["'` + "`" + `]?(?:(?:basic|bearer|token|digest|apikey|negotiate|bot)\s{1,3})?([\w=~@.+/:-]{8,1000})`,
			isSecret: func(_, secret string) bool { return (mixed(secret) || camel(secret)) && !isPlaceholder(secret) },
		},
		{
			id: "curl-user", keywords: []string{"curl"},
			source:   `(?s)\bcurl\b(?:[^\n;|]|\\\n){0,1000}?\s(?:-[a-zA-Z]*[uU]|--(?:proxy-)?user)(?:=|[ \t]{0,5})["']?[^\s"':$]{1,100}:([^\s"']{3,200})`,
			isSecret: func(_, secret string) bool { return !isPlaceholder(secret) },
		},
		{
			id: "netrc-password", keywords: []string{"machine", "default"},
			source:   `\b(?:machine\s{1,20}\S{1,200}|default)\s{1,20}login\s{1,20}\S{1,200}\s{1,20}password\s{1,20}(\S{3,200})`,
			isSecret: func(_, secret string) bool { return !isPlaceholder(secret) },
		},
		{
			id: "docker-auth", keywords: []string{`"auth"`},
			source:   `"auth"\s{0,5}:\s{0,5}"([\w+/=-]{8,1000})"`,
			isSecret: func(_, secret string) bool { return isUserAndPassword(secret) },
		},
		{
			// gitleaks' rule of this name wants an end, which a listing of the first lines lacks.
			id: "private-key", keywords: []string{"-----begin"},
			source: `-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----((?:\s|\\[nr]|["',+])*(?:[\w-]{1,40}: [^\n]{0,200}\n\s*)*(?:[A-Za-z0-9+/=]{16,}(?:\s|\\[nr]|["',+])*)+)`,
		},
	}
	return append(forms, assignments()...)
}

// assignments returns the rules for name=value. gitleaks' generic rule finds no value of less than 12 characters and none with
// special characters.
func assignments() []*rule {
	const names = `(?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)`
	words := []string{
		"password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "api_key", "api-key",
		"accesskey", "access_key", "access-key", "privatekey", "private_key", "private-key", "credential",
	}
	const bare = `([^\s"'` + "`" + `,;|&<>(){}\[\]]{8,128})`
	return []*rule{
		{ // password: "…", 'password' => '…'
			id: assignment, keywords: words,
			source:   `(?i)[\w.-]{0,50}?` + names + `[\w.-]{0,20}["']?\]?\s{0,3}(?:=>|:=|==?|:)\s{0,3}(?:"([^"\s]{8,128})"|'([^'\s]{8,128})'|` + "`([^`\\s]{8,128})`)",
			isSecret: func(_, secret string) bool { return isPassword(secret) },
		},
		{ // DB_PASSWORD=…
			id: assignment, keywords: []string{"password", "passwd", "passphrase", "pass", "pwd", "secret", "token", "api_key", "apikey", "access_key", "private_key", "credential"},
			source:   `\b[A-Z0-9_]{0,50}?(?:PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|SECRET|TOKEN|API_KEY|APIKEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIAL)[A-Z0-9_]{0,20}=` + bare,
			isSecret: func(_, secret string) bool { return isPassword(secret) },
		},
		{ // --password=…, --password …
			id: assignment, keywords: words,
			source:   `[\w-]{0,50}?` + names + `(?:=|[ \t]{1,3})["']?` + bare,
			isSecret: func(match, secret string) bool { return strings.HasPrefix(match, "--") && isPassword(secret) },
		},
		{ // a line password: … of YAML, or password=… of properties
			id: assignment, keywords: words,
			source:   `(?im)^[ \t]{0,100}(?:export[ \t])?[\w.-]{0,50}?` + names + `[\w.-]{0,20}(?:=|:[ \t]{1,3})` + bare + `[ \t]{0,5}$`,
			isSecret: func(_, secret string) bool { return isPassword(secret) },
		},
	}
}

// isUserAndPassword reports whether a value is user:password in base64.
func isUserAndPassword(value string) bool {
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	return err == nil && strings.Contains(string(decoded), ":")
}

// minPasswordEntropy is that of a password, in bits per character: seven different ones of eight.
const minPasswordEntropy = 2.7

// isPassword reports whether a value looks chosen or made by chance: letters with digits or special characters, and no code.
func isPassword(value string) bool {
	return entropy(value) >= minPasswordEntropy && mixed(value) && !isPlaceholder(value) && !strings.ContainsAny(value, "(){}<>[]\\") &&
		!strings.Contains(value, "://") && value[0] != '/' && value[0] != '.' && value[0] != '$'
}

// mixed reports whether a value has letters and something else than letters and what joins words.
func mixed(value string) bool {
	other := func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("-_./:=,", r) }
	return strings.ContainsFunc(value, unicode.IsLetter) && strings.ContainsFunc(value, other)
}

// camel reports whether a value has capitals behind its first letter, and small letters, as base64 has.
func camel(value string) bool {
	return strings.ContainsFunc(value[1:], unicode.IsUpper) && strings.ContainsFunc(value, unicode.IsLower)
}

// isPlaceholder reports whether a value stands for one: a variable, a word that says so, one character again and again.
func isPlaceholder(value string) bool {
	if strings.ContainsAny(value[:1], "$<{%*[&") || strings.Contains(value, "...") || strings.Contains(value, "…") {
		return true
	}
	if strings.Trim(value, value[:1]) == "" {
		return true
	}
	lower := strings.ToLower(value)
	if slices.Contains([]string{"pass", "pwd", "user", "test", "token", "none", "null", "true", "false"}, lower) {
		return true
	}
	return slices.ContainsFunc([]string{
		"password", "passwd", "secret", "changeme", "example", "placeholder", "your", "dummy", "redacted", "xxxx", "****",
	}, func(word string) bool { return strings.Contains(lower, word) })
}
