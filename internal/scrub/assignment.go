package scrub

import (
	"slices"
	"strings"
	"unicode"
)

// assignment is the name of the rules for passwords that are assigned to a name.
const assignment = "assignment"

// Pieces of the expressions of assignments.
const (
	// secretNames are words of names that have secrets.
	secretNames = `(?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|encryption[_-]?key|signing[_-]?key|credentials?)`
	// bareValue is a value without quotes.
	bareValue = `([^\s"'` + "`" + `,;|&<>(){}\[\]]{8,1000})`
	// quotedValue is a value within quotes.
	quotedValue = `(?:"([^"\s]{8,1000})"|'([^'\s]{8,1000})'|` + "`([^`\\s]{8,1000})`)"
)

// assignments returns the rules for name=value. gitleaks' generic rule finds no value of less than 12 characters and none with
// special characters.
func assignments() []*rule {
	words := []string{
		"password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "api_key", "api-key", "accesskey", "access_key", "access-key",
		"privatekey", "private_key", "private-key", "authkey", "auth_key", "auth-key", "encryptionkey", "encryption_key", "encryption-key",
		"signingkey", "signing_key", "signing-key", "credential",
	}
	rules := []*rule{
		{ // password: "…", 'password' => '…'
			keywords: words,
			source:   `(?i)[\w.-]{0,50}?` + secretNames + `[\w.-]{0,20}["']?\]?\s{0,3}(?:=>|:=|==?|:)\s{0,3}` + quotedValue,
			isSecret: func(_, secret string) bool { return isPassword(secret) },
		},
		{ // define('DB_PASSWORD', '…')
			keywords: words,
			source:   `(?i)[\w.-]{0,50}?` + secretNames + `[\w.-]{0,20}["'],\s{0,3}` + quotedValue,
			isSecret: func(_, secret string) bool { return isStrong(secret) },
		},
		{ // DB_PASSWORD=…
			keywords: []string{"password", "passwd", "passphrase", "pass", "pwd", "secret", "token", "api_key", "apikey", "access_key", "private_key", "credential"},
			source:   `\b[A-Z0-9_]{0,50}?(?:PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|SECRET|TOKEN|API_KEY|APIKEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIAL)[A-Z0-9_]{0,20}=` + bareValue,
			isSecret: func(_, secret string) bool { return isPassword(secret) },
		},
		{ // --password=…, --password …
			keywords: words,
			source:   `[\w-]{0,50}?` + secretNames + `(?:=|[ \t]{1,3})["']?` + bareValue,
			isSecret: func(match, secret string) bool { return strings.HasPrefix(match, "--") && isPassword(secret) },
		},
		{ // a line password: … of YAML or of a header, or password=… of properties
			keywords: words,
			source:   `(?im)^[ \t]{0,100}(?:[<>+-][ \t]{1,3})?(?:export[ \t]|setenv[ \t])?[\w.-]{0,50}?` + secretNames + `[\w.-]{0,20}(?:=|:[ \t]{1,3})` + bareValue + `[ \t]{0,5}$`,
			isSecret: func(_, secret string) bool { return isPassword(secret) },
		},
		{ // password=… of a line of a log, or of a connection string
			keywords: words,
			source:   `(?i)\b[\w.-]{0,50}?` + secretNames + `=` + bareValue + `(?:[\s;]|$)`,
			isSecret: func(_, secret string) bool { return isStrong(secret) },
		},
		{ // <password>…</password>
			keywords: words,
			source:   `(?i)` + secretNames + `[\w.:-]{0,20}(?:[ \t][^<>\n]{0,200})?>([^<>\s]{8,200})</`,
			isSecret: func(_, secret string) bool { return isPassword(secret) },
		},
		{ // | password | … |
			keywords: words,
			source:   `(?i)` + secretNames + `[\w.-]{0,20}[ \t]{0,40}[|│][ \t]{0,5}([^\s|│]{8,1000})[ \t]{0,40}[|│\n]`,
			isSecret: func(_, secret string) bool { return isStrong(secret) },
		},
		{ // ?access_token=…
			keywords: []string{"token", "key", "secret", "password", "passwd", "pwd", "sig", "auth"},
			source:   `(?i)[?&#;](?:[\w-]{0,30}token|(?:api|access|auth|subscription|function|signing)?[_-]?key|(?:client[_-]?|app[_-]?)?secret|password|passwd|pwd|sig|signature|x-amz-signature|auth)=([\w%.~+/=-]{16,1000})`,
			isSecret: func(_, secret string) bool { return isStrong(secret) },
		},
	}
	for _, r := range rules {
		r.id = assignment
	}
	return rules
}

// minPasswordEntropy is that of a password, in bits per character: seven different ones of eight.
const minPasswordEntropy = 2.7

// isPassword reports whether a value looks chosen or made by chance: letters with digits or special characters, and no code.
func isPassword(value string) bool {
	return entropy(value) >= minPasswordEntropy && mixed(value) && !isPlaceholder(value) && !strings.ContainsAny(value, "(){}<>[]\\") &&
		!strings.Contains(value, "://") && value[0] != '/' && value[0] != '.' && value[0] != '$'
}

// isStrong reports whether a value is a password even where the text around it says little: it has three of small letters, capitals, digits and
// special characters, or is long.
func isStrong(value string) bool {
	kinds := 0
	for _, is := range []func(rune) bool{unicode.IsLower, unicode.IsUpper, unicode.IsDigit, isSpecial} {
		if strings.ContainsFunc(value, is) {
			kinds++
		}
	}
	return isPassword(value) && (kinds >= 3 || kinds == 2 && len(value) >= 16)
}

// isSpecial reports whether a character is neither a letter nor a digit, nor one that joins words.
func isSpecial(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./:=,", r)
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
