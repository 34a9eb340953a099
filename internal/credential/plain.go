package credential

import (
	"strings"
	"unicode"
)

// minLength is the least length of a value, in bytes.
const minLength = 8

// describes reports whether a variable's name says that the value is not the secret but something about it: where it is kept, how long
// it lasts, or that it is public.
func describes(name string) bool {
	name = strings.ToUpper(name)
	if strings.Contains(name, "PUBLIC") || strings.Contains(name, "PUBLISHABLE") {
		return true
	}
	for _, end := range [...]string{
		"FILE", "PATH", "DIR", "DIRECTORY", "NAME", "HOST", "PORT", "USER", "USERNAME", "TTL", "TIMEOUT", "TYPE", "ALGORITHM", "ALG", "LENGTH", "SIZE", "COUNT",
		"LIMIT", "ENABLED", "EXPIRY", "EXPIRES", "IN", "AT", "ENDPOINT", "ISSUER", "AUDIENCE", "REGION", "VERSION", "PREFIX", "ALIAS", "STORE", "PROVIDER", "HELPER",
		"SOCK", "SOCKET", "SCOPE", "SCOPES", "FORMAT", "METHOD", "MODE", "POLICY",
	} {
		if strings.HasSuffix(name, "_"+end) {
			return true
		}
	}
	return false
}

// isPlain reports whether a value may stand in a text for another reason than that it is a secret.
func isPlain(value string) bool {
	value = strings.TrimSpace(value)
	return len(value) < minLength || isPlaceholder(value) || isNumber(value) || isAddress(value) || isPath(value) || isWords(value)
}

// isPlaceholder reports whether a value stands for another one.
func isPlaceholder(value string) bool {
	if strings.ContainsAny(value[:1], "$<{%") || strings.Trim(value, value[:1]) == "" {
		return true
	}
	lower := strings.ToLower(value)
	for _, word := range [...]string{"changeme", "change-me", "change_me", "example", "placeholder", "your-", "your_", "xxxxxx", "redacted", "[secret"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// isNumber reports whether a value is a number, a time, a version, or an address of digits. Of 20 digits and more it is a secret.
func isNumber(value string) bool {
	digits := 0
	for _, r := range value {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case !strings.ContainsRune(" .,:+-/_TZ%", r):
			return false
		}
	}
	return digits < 20
}

// isAddress reports whether a value is a URL without a user, and without a key in its path, as webhooks have it.
func isAddress(value string) bool {
	scheme, rest, found := strings.Cut(value, "://")
	if !found || !isLetters(strings.ReplaceAll(scheme, "+", "")) || strings.Contains(rest, "@") {
		return false
	}
	for segment := range strings.FieldsFuncSeq(rest, func(r rune) bool { return strings.ContainsRune("/?&=", r) }) {
		if len(segment) >= 2*minLength && isRandom(segment) {
			return false
		}
	}
	return true
}

// isPath reports whether a value is the path of a file: it begins as one, and has words in it.
func isPath(value string) bool {
	switch {
	case strings.HasPrefix(value, "/"), strings.HasPrefix(value, "./"), strings.HasPrefix(value, "../"), strings.HasPrefix(value, "~/"):
	case len(value) > 2 && value[1] == ':' && (value[2] == '\\' || value[2] == '/'):
	default:
		return false
	}
	return !isRandom(value)
}

// Bounds of words: more or longer ones are a passphrase.
const (
	maxWords      = 3
	maxWordLength = 20
)

// isWords reports whether a value is a few words, as names have: production, my-secret-name, us-east-1, someWords. A word with a
// digit in it, such as hunter2, is none.
func isWords(value string) bool {
	words := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("-_. /:,", r) })
	count := 0
	for _, word := range words {
		if isNumber(word) && len(word) <= 4 {
			continue
		}
		n := camelWords(word)
		if n == 0 || len(word) > maxWordLength {
			return false
		}
		count += n
	}
	return count <= maxWords
}

// camelWords returns the number of words that a text of letters is: lower, Upper, CAPITALS and someWords; 0 if it is something else. Each
// word of several has three letters or more.
func camelWords(text string) int {
	if !isLetters(text) {
		return 0
	}
	if strings.ToUpper(text) == text || strings.ToLower(text[1:]) == text[1:] {
		return 1
	}
	count, start := 0, 0
	for i := 1; i <= len(text); i++ {
		if i == len(text) || 'A' <= text[i] && text[i] <= 'Z' {
			if i-start < 3 {
				return 0
			}
			count, start = count+1, i
		}
	}
	return count
}

func isLetters(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
}

// isRandom reports whether a value looks as chance has made it: on average less than three characters until a letter's case or a digit
// changes.
func isRandom(value string) bool {
	runs, last := 0, -1
	for _, r := range value {
		kind := kindOf(r)
		if kind != last && !(last == upper && kind == lower) { // a capital belongs to the word behind it
			runs++
		}
		last = kind
	}
	return runs*3 > len(value)
}

// Kinds of characters.
const (
	lower = iota
	upper
	digit
	other
)

func kindOf(r rune) int {
	switch {
	case unicode.IsLower(r):
		return lower
	case unicode.IsUpper(r):
		return upper
	case unicode.IsDigit(r):
		return digit
	}
	return other
}
