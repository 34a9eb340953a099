// Package planted has texts with secrets in them, and texts that only look as if, to measure how well a search finds the one and leaves
// the other.
//
// A Kind is a way in which a secret stands in the output of a program: a line of a log, of a file, a command, a response. The secrets are
// drawn by chance in the form that their service documents, so there is none in this source, and none was ever valid. Half of the
// kinds are kept apart from those that rules are made by.
package planted

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A Kind is one way in which a secret stands in a text.
type Kind struct {
	Name   string
	text   string              // what stands between « and » is the secret; {h32} is 32 hexadecimal digits drawn by chance, see drawn
	encode func(string) string // of the secret; nil: it stands there as it is
}

// A Case is a Kind with a secret that was drawn.
type Case struct {
	Kind    string
	Text    string
	Secrets []string // the parts of Text that must not be shown
}

// Cases returns so many cases of each kind, the same ones each time.
func Cases(kinds []Kind, each int) []Case {
	random := rand.New(rand.NewPCG(1, 2))
	var all []Case
	for _, kind := range kinds {
		for range each {
			all = append(all, kind.draw(random))
		}
	}
	return all
}

// draw returns a case of a kind.
func (k Kind) draw(random *rand.Rand) Case {
	c := Case{Kind: k.Name}
	var b strings.Builder
	for rest := k.text; ; {
		before, behind, found := strings.Cut(rest, "«")
		b.WriteString(fill(before, random))
		if !found {
			c.Text = b.String()
			return c
		}
		secret, behind, _ := strings.Cut(behind, "»")
		if secret = fill(secret, random); k.encode != nil {
			secret = k.encode(secret)
		}
		b.WriteString(secret)
		c.Secrets, rest = append(c.Secrets, secret), behind
	}
}

// fill draws what stands in braces. Other braces stay.
func fill(text string, random *rand.Rand) string {
	var b strings.Builder
	for {
		before, behind, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inner, rest, _ := strings.Cut(behind, "}")
		value, ok := drawn(inner, random)
		if !ok {
			b.WriteByte('{')
			text = behind
			continue
		}
		b.WriteString(value)
		text = rest
	}
}

// drawn returns a text of a class and a length, such as h32; false if it is none.
func drawn(class string, random *rand.Rand) (string, bool) {
	const digits, lower, upper = "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if class == "i" { // a UUID
		h := pick("0123456789abcdef", 32, random)
		return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:], true
	}
	if class == "B" { // user and password in base64
		return base64.StdEncoding.EncodeToString([]byte("ci:" + pick(lower+upper+digits, 20, random))), true
	}
	if class == "" {
		return "", false
	}
	length, err := strconv.Atoi(class[1:])
	alphabet := map[byte]string{
		'a': lower + upper + digits, 'A': lower + upper, 'b': lower + upper + digits + "+/", 'd': digits, 'g': "023456789ACDEFGHJKLMNPQRSTUVWXYZ", 'h': "0123456789abcdef",
		'l': lower + digits, 'u': upper + digits, 'U': upper + "234567", 'w': lower + upper + digits + "_-",
		'p': lower + lower + upper + digits + "!#%^*_+-~?",
	}[class[0]]
	if err != nil || alphabet == "" {
		return "", false
	}
	for {
		if value := pick(alphabet, length, random); class[0] != 'p' || isGoodPassword(value) {
			return value, true
		}
	}
}

// isGoodPassword reports whether a text is what a password must be: it begins with a letter and has a digit.
func isGoodPassword(text string) bool {
	return 'A' <= text[0] && text[0] <= 'z' && text[0] != '^' && text[0] != '_' && strings.ContainsAny(text, "0123456789")
}

func pick(alphabet string, length int, random *rand.Rand) string {
	b := make([]byte, length)
	for i := range b {
		b[i] = alphabet[random.IntN(len(alphabet))]
	}
	return string(b)
}

func toBase64(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func toHex(text string) string { return hex.EncodeToString([]byte(text)) }

// toWrapped encodes to base64 in lines of 76 characters, as the program base64 does.
func toWrapped(text string) string {
	var b strings.Builder
	for encoded := toBase64(text); ; encoded = encoded[76:] {
		if len(encoded) <= 76 {
			return b.String() + encoded
		}
		b.WriteString(encoded[:76] + "\n")
	}
}

// toPercent encodes all but letters and digits.
func toPercent(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// toColoured puts the second half in another colour.
func toColoured(text string) string {
	return text[:len(text)/2] + "\x1b[31m" + text[len(text)/2:] + "\x1b[0m"
}

// Shows reports whether a text still shows a secret of a case: a third of one, of 8 bytes at least.
func (c Case) Shows(text string) bool {
	for _, secret := range c.Secrets {
		length := min(len(secret), max(8, (len(secret)+2)/3))
		for at := 0; at+length <= len(secret); at++ {
			if strings.Contains(text, secret[at:at+length]) {
				return true
			}
		}
	}
	return false
}

// Recall returns how many of some cases a search keeps from being shown, and the kinds of those that it shows. replace returns a
// text without its secrets.
func Recall(cases []Case, replace func(text string) string) (found int, shown []string) {
	for _, c := range cases {
		if c.Shows(replace(c.Text)) {
			shown = append(shown, c.Kind)
			continue
		}
		found++
	}
	return found, shown
}
