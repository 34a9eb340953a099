package credential

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"tidepool/internal/environ"
)

// parts returns what in a secret value is a secret by itself: the passwords of URLs, the value behind Bearer, those of a connection
// string, and what is encoded as user:password.
func parts(value string) []string {
	all := addressPasswords(value)
	if scheme, rest, found := strings.Cut(value, " "); found && (scheme == "Bearer" || scheme == "Basic") {
		value = rest
		all = append(all, rest)
	}
	for pair := range strings.SplitSeq(value, ";") {
		if name, part, found := strings.Cut(pair, "="); found && environ.Secret(strings.TrimSpace(name), part) {
			all = append(all, strings.TrimSpace(part))
		}
	}
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	if err == nil && utf8.Valid(decoded) {
		if _, password, found := strings.Cut(string(decoded), ":"); found {
			all = append(all, password)
		}
	}
	return all
}

// addressPasswords returns the passwords of the URLs in a value, as they are written and, if that differs, as they are, and tokens in the place
// of a user.
func addressPasswords(value string) []string {
	var all []string
	for {
		_, rest, found := strings.Cut(value, "://")
		if !found {
			return all
		}
		authority := rest
		if end := strings.IndexAny(rest, "/?# \t\n,"); end >= 0 {
			authority = rest[:end]
		}
		if at := strings.LastIndexByte(authority, '@'); at >= 0 {
			all = append(all, userSecrets(authority[:at])...)
		}
		value = rest
	}
}

// userSecrets returns what is a secret of user:password: the password, and the user if that is a token.
func userSecrets(user string) []string {
	var all []string
	user, password, _ := strings.Cut(user, ":")
	if password != "" {
		all = append(all, password)
	}
	if plain := unescape(password); plain != password {
		all = append(all, plain)
	}
	if environ.Token(user) || len(user) >= 2*minLength && isRandom(user) {
		all = append(all, user)
	}
	return all
}

// unescape decodes the %XX of a text.
func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if c, err := hex.DecodeString(text[i+1 : i+3]); err == nil {
				b.WriteByte(c[0])
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
