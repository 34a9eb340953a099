// Package scrub replaces secrets in texts: passwords, tokens and keys. A Scrubber puts [secret: kind] in their place, the Registry of a
// session [SECRET_n], the same for the same value.
//
// A Registry also finds known values, such as those of the session's environment, whatever their form. It has their fingerprints, not
// the values. The place of a value is guessed by a hash of 8 bytes at each byte of the text, and confirmed by an HMAC.
//
// Two kinds of rules find the others. Known forms are gitleaks' rules, of which only the text is used (github.com/zricethezav/gitleaks,
// config/gitleaks.toml). Own forms are what those lack: passwords in URLs, Authorization headers, cookies, curl -u
// and its like, netrc lines, docker's auth, tokens of more services, keys that are quoted line by line, and assignments.
//
// Each rule has keywords. One pass of an Aho-Corasick automaton finds the keywords of all rules; a rule looks only at the text
// around its own. There a small automaton rejects nearly all candidates before the regular expression runs. What is left is judged
// by the entropy of the secret and by allow lists, both as gitleaks defines them, except that a comment gitleaks:allow does not
// count: it speaks of source, and a text that is kept or shown may quote anything.
//
// Terminal colours and carriage returns do not hide a secret, nor does base64, hex or percent encoding, once. A text is searched in
// parts of 1 MB that overlap by 16 KB, so a secret is found wherever it stands; one of more than 16 KB may be found in part.
//
// A search that fails, or whose work exceeds a limit, withholds the whole text.
package scrub
