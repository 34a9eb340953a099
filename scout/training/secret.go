package training

// token matches what well-known services hand out as credentials, private keys, and
// literals that are given to something called a secret.
var token = pattern(`\b(AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{20}|\bxox[abprs]-[\w-]{10,}|` +
	`\bsk-[\w-]{20,}|\bAIza[\w-]{35}|\beyJ[\w-]{10,}\.eyJ[\w-]{10,}|\bnpm_[A-Za-z0-9]{36}|-----BEGIN [A-Z ]*PRIVATE KEY-----|://[^/\s:@]+:[^/\s:@]{3,}@|` +
	`(?i:(password|passwd|secret|token|api_?key|credential)\w*["']?\s*(:=|[:=])\s*["'` + "`" + `][^"'` + "`" + `]{8,}["'` + "`" + `])`)

// LooksSecret reports whether a text holds something like a credential. In doubt
// it does: a lost example costs nothing.
func LooksSecret(text string) bool { return token().MatchString(text) }
