package fingerprint

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// forms returns the forms in which programs write a value, each once. Percent encoding is none of them: it has too many dialects, and
// whoever searches a text decodes it.
func forms(value string) []string {
	all := []string{value}
	add := func(form string) {
		if !slices.Contains(all, form) && len(form) <= MaxLength {
			all = append(all, form)
		}
	}
	for before := range 3 {
		encoded := aligned(value, before)
		add(encoded)
		add(strings.NewReplacer("+", "-", "/", "_").Replace(encoded)) // the alphabet for URLs
	}
	lower := hex.EncodeToString([]byte(value))
	add(lower)
	add(strings.ToUpper(lower))
	add(quoted(value, false))
	add(quoted(value, true))
	add(strings.ReplaceAll(value, "'", `'\''`)) // a shell, between two '
	return all
}

// aligned returns what base64 makes of a value behind some other bytes, 0 to 2 more than a multiple of 3: the characters that
// do not depend on what stands around the value.
func aligned(value string, before int) string {
	encoded := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), value...))
	return encoded[(8*before+5)/6 : 8*(before+len(value))/6]
}

// quoted returns a value as it stands in a string of JSON. html: with <, > and & escaped, too, as encoding/json does it.
func quoted(value string, html bool) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(html)
	if err := encoder.Encode(value); err != nil {
		return value // a string can be encoded
	}
	text := strings.TrimSuffix(b.String(), "\n")
	return text[1 : len(text)-1]
}
