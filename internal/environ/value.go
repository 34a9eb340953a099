package environ

import "strings"

// Token reports whether a value is a credential by its own form, under whatever name: a private key, or a token that
// begins as those of a well-known service do.
func Token(value string) bool {
	value = strings.TrimLeft(value, " \t\"'")
	if strings.Contains(value, "-----BEGIN ") {
		return true
	}
	for _, prefix := range tokenPrefixes() {
		if strings.HasPrefix(value, prefix) {
			return true
		}
	}
	scheme, rest, _ := strings.Cut(value, " ")
	return (scheme == "Bearer" || scheme == "Basic") && len(rest) >= 8
}

// tokenPrefixes returns how tokens begin, as their services document them. Those that are also words need a separator.
func tokenPrefixes() []string {
	return []string{
		"sk-", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "pk_live_", "whsec_", // Anthropic, OpenAI, Stripe
		"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "glcbt-", // GitHub, GitLab
		"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xapp-", "https://hooks.slack.com/", // Slack
		"AKIA", "ASIA", "AIza", "ya29.", "eyJhbGci", "eyJ0eXAi", // Amazon, Google, JSON Web Tokens
		"npm_", "pypi-", "rubygems_", "hf_", "dop_v1_", "doo_v1_", "dckr_pat_", "lin_api_", "ntn_", "secret_", // registries and services
		"SG.", "key-", "shpat_", "shpss_", "sq0atp-", "sq0csp-", "figd_", "phc_", "sntrys_", "pul-", "hvs.", "hvb.", "tskey-", "nvapi-", "gsk_", "AGE-SECRET-KEY-",
	}
}

// withoutCredentials takes out of every URL in a value what may be a credential: the user with the password, and the
// query. A user alone stays where it is no secret, as in ssh://git@host. It reports false if a URL cannot be told from
// its password, as in http://user:pass/word@host.
func withoutCredentials(value string) (string, bool) {
	var clean strings.Builder
	for {
		before, rest, found := strings.Cut(value, "://")
		clean.WriteString(before)
		if !found {
			return clean.String(), true
		}
		end := endOf(rest, " \t\n,|\"'")
		address, ok := plainAddress(before, rest[:end])
		if !ok {
			return "", false
		}
		clean.WriteString("://" + address)
		value = rest[end:]
	}
}

// plainAddress returns what stands behind the "://" of a URL, without credentials.
func plainAddress(before, address string) (string, bool) {
	address = address[:endOf(address, "?#")]
	slash := endOf(address, "/")
	authority, path := address[:slash], address[slash:]
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		if strings.Contains(authority[:at], ":") || !strings.HasSuffix(before, "ssh") || Token(authority[:at]) {
			authority = authority[at+1:]
		}
	} else if !plainPort(authority) {
		return "", false // what looks like a port is the beginning of a password
	}
	return authority + path, true
}

// plainDatabase reports whether an address of a database has no password in it, nor anything that may be a part of one.
func plainDatabase(address string) bool {
	_, rest, found := strings.Cut(address, "://")
	end := endOf(rest, "/?#")
	user, host, at := strings.Cut(rest[:end], "@")
	if !at {
		user, host = "", user
	}
	return found && !strings.Contains(user, ":") && plainPort(host) && !strings.Contains(rest[end:], "@") && !strings.Contains(strings.ToLower(rest), "password=")
}

// plainPort reports whether an authority has a port of digits, or none.
func plainPort(authority string) bool {
	if strings.HasSuffix(authority, "]") { // an IPv6 address
		return true
	}
	_, port, _ := strings.Cut(authority[strings.LastIndexByte(authority, ']')+1:], ":")
	return strings.Trim(port, "0123456789") == ""
}

// endOf returns the index of the first of the characters in text, or its length.
func endOf(text, characters string) int {
	if i := strings.IndexAny(text, characters); i >= 0 {
		return i
	}
	return len(text)
}
