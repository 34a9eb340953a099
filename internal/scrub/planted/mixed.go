package planted

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Mixed returns a text of about a size in bytes as commands print them: lines of tools, logs, hashes, base64 and colours, with a secret each 4 KB.
// It is the same one each time.
func Mixed(size int) string {
	random := rand.New(rand.NewPCG(3, 4))
	harmless, secrets := Harmless(), Cases(Tuning(), 1)
	var b strings.Builder
	for next := 0; b.Len() < size; {
		if b.Len() >= next {
			b.WriteString(secrets[random.IntN(len(secrets))].Text + "\n")
			next += 4 << 10
		}
		switch random.IntN(5) {
		case 0:
			fmt.Fprintf(&b, "2026-11-22T21:%02d:%02dZ level=info msg=\"built %s\" in=%dms\n", random.IntN(60), random.IntN(60), pick("0123456789abcdef", 40, random), random.IntN(1000))
		case 1:
			fmt.Fprintf(&b, "\x1b[32m✓\x1b[0m src/%s/%s.test.ts \x1b[2m(%d tests)\x1b[0m\n", pick("abcdefghij", 6, random), pick("abcdefghij", 9, random), random.IntN(50))
		case 2:
			b.WriteString(base64.StdEncoding.EncodeToString([]byte(pick("\x00\x01\x80\x90abcXYZ", 54, random))) + "\n")
		default:
			b.WriteString(harmless[random.IntN(len(harmless))] + "\n")
		}
	}
	return b.String()
}
