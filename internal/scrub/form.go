package scrub

import (
	"encoding/base64"
	"regexp"
	"strings"
)

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
			// Between its lines stand what numbers them, marks them in a diff, or quotes them.
			source: `-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----(` + keySpace + `(?:[\w-]{1,40}: [^\n]{0,200}\n\s*)*(?:[A-Za-z0-9+/=]{16,}` + keySpace + `)+)`,
		},
		{
			// The whole header goes: any of its cookies may open a session.
			id: "cookie", keywords: []string{"cookie"},
			source:   `(?i)cookie["']?\s{0,3}[:=]\s{0,3}["']?([\w.!%-]{1,60}=[^\n"']{8,1000})`,
			isSecret: func(_, secret string) bool { return hasSession(secret) },
		},
		{
			id: "login-password", keywords: []string{"mysql", "mariadb"},
			source:   `\b(?:mysql|mariadb)[a-z_-]{0,20}[ \t][^\n;|]{0,500}?\s-p["']?([^\s"'$]{6,200})`,
			isSecret: func(_, secret string) bool { return mixed(secret) && !isPlaceholder(secret) },
		},
		{
			id: "login-password", keywords: []string{"login", "sshpass"},
			source:   `\b(?:login[ \t][^\n;|]{0,500}?|sshpass)\s-p[ \t=]{0,3}["']?([^\s"'$]{6,200})`,
			isSecret: func(_, secret string) bool { return mixed(secret) && !isPlaceholder(secret) },
		},
		{
			id: "azure-key", keywords: []string{"accountkey", "sharedaccesskey"},
			source: `(?i)(?:account|sharedaccess)key=([\w+/]{43,86}={1,2})`,
		},
		serviceTokens(),
	}
	return append(forms, assignments()...)
}

// keySpace is what may stand between two lines of a key.
const keySpace = `(?:\s|\\[nrt]|["',+>|]|\b\d{1,6}(?:[:|→]|[ \t]))*`

// serviceTokens returns the rule for tokens that begin as their service documents it: gitleaks does not know all of the services, and
// others have changed the lengths that it knows. They are those of internal/environ, but for the ones that are also words, and some more.
func serviceTokens() *rule {
	words := []string{
		"dckr_pat_", "dckr_oat_", "sbp_", "sb_secret_", "lsv2_pt_", "lsv2_sk_", "napi_", "nvapi-", "gsk_", "xai-", "pplx-", "r8_", "whsec_", "tskey-",
		"sk-", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "gldt-", "glrt-", "glcbt-", "xapp-", "npm_", "pypi-", "rubygems_", "hf_", "ya29.", "AGE-SECRET-KEY-",
		"figd_", "ntn_", "tfp_", "hvs.", "hvb.", "glsa_", "sntrys_", "sntryu_", "dop_v1_", "doo_v1_", "pul-", "lin_api_", "shpat_", "shpss_", "sq0atp-", "sq0csp-",
	}
	var all []string
	for _, word := range words {
		all = append(all, regexp.QuoteMeta(word))
	}
	words = lower(words)
	return &rule{
		id: "service-token", keywords: words, entropy: 3,
		source:   `\b(?:` + strings.Join(all, "|") + `)[\w.=-]{20,1000}`,
		isSecret: func(_, secret string) bool { return isStrong(secret) && !isName(secret) },
	}
}

// isName reports whether a text that begins as a token is the name of a class of a style sheet: sk-circle-12.
func isName(text string) bool {
	rest, is := strings.CutPrefix(text, "sk-")
	return is && strings.ContainsAny(rest, "-_") && strings.ToLower(rest) == rest
}

// hasSession reports whether one of the cookies of a header is long and looks as chance has made it.
func hasSession(cookies string) bool {
	for cookie := range strings.SplitSeq(cookies, ";") {
		if _, value, _ := strings.Cut(cookie, "="); len(value) >= 16 && entropy(value) >= 3 && mixed(value) && !isPlaceholder(value) {
			return true
		}
	}
	return false
}

// isUserAndPassword reports whether a value is user:password in base64.
func isUserAndPassword(value string) bool {
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	return err == nil && strings.Contains(string(decoded), ":")
}
