// Package fingerprint describes secret values, so that a process can find in a text what only another process knows.
//
// The agent knows the secrets of a session's environment; the daemon searches texts for them and must not have them. A Print has the
// length of a value, 24 bits of a hash of its first 8 bytes, and an HMAC-SHA-256 of the whole, both under a key of the project
// that is random. The hash says where in a text the value may begin, at the cost of a multiplication a byte; the HMAC decides.
//
// A value has a Print for each form in which programs write it: as it is, in base64, hexadecimal, quoted for JSON and for a shell.
// Who has both the key and the Prints can try values, so a Print hides a weak password no better than a hash does. Neither leaves
// the user's processes and the project's state directory.
package fingerprint

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash"
	"strings"
	"unicode/utf8"
)

// Bounds of a Print, in bytes.
const (
	MinLength = 8        // of a value: shorter ones stand in texts by chance
	MaxLength = 12 << 10 // of one form
	MaxName   = 64       // of a name; longer ones are cut

	maxValue = 64 << 10 // of a value; what is behind has no Print
	piece    = 4095     // a longer value has Prints of each such piece; a multiple of 3, for base64
)

// A Key keeps Prints of one project from saying anything to others. The zero Key is no secret: see KeyIn.
type Key [32]byte

// A Print is what is known of one form of a value. It does not contain the value.
type Print struct {
	Name   string `json:"name"`   // of the variable or the file that has the value, for people
	Length int    `json:"length"` // bytes, MinLength to MaxLength
	Roll   uint32 `json:"roll"`   // the Roller's hash of the first 8 bytes
	MAC    MAC    `json:"mac"`    // of this form, or this piece of it
	Value  MAC    `json:"value"`  // of the value itself: the same for all its forms and pieces
}

// A MAC is the first half of an HMAC-SHA-256 (RFC 2104). Its text is base64.
type MAC [16]byte

// MarshalText returns the MAC in base64.
func (m MAC) MarshalText() ([]byte, error) {
	return base64.RawStdEncoding.AppendEncode(nil, m[:]), nil
}

// UnmarshalText is the reverse of MarshalText.
func (m *MAC) UnmarshalText(text []byte) error {
	data, err := base64.RawStdEncoding.DecodeString(string(text))
	if err != nil || len(data) != len(m) {
		return fmt.Errorf("a MAC has %d bytes in base64", len(m))
	}
	copy(m[:], data)
	return nil
}

// Of returns the Prints of a value: nil if that has less than MinLength bytes without the white space around it. Carriage returns do
// not count. It does not judge whether the value is a secret.
func Of(key Key, name, value string) []Print {
	value = strings.TrimSpace(strings.ReplaceAll(value, "\r", ""))
	if len(value) < MinLength {
		return nil
	}
	value = value[:min(len(value), maxValue)]
	m, roller := key.Authenticator(), key.Roller()
	whole := m.Of(value)
	var prints []Print
	for _, part := range pieces(value) {
		for _, form := range forms(part) {
			prints = append(prints, Print{clip(name), len(form), roller.Roll(form), m.Of(form), whole})
		}
	}
	return prints
}

// pieces splits a value. A rest that is too short for a Print is added to the piece before.
func pieces(value string) []string {
	var all []string
	for len(value) >= piece+MinLength {
		all = append(all, value[:piece])
		value = value[piece:]
	}
	return append(all, value)
}

func clip(name string) string {
	name = name[:min(len(name), MaxName)]
	for !utf8.ValidString(name) && name != "" {
		name = name[:len(name)-1]
	}
	return name
}

// An Authenticator makes MACs. It is for one goroutine at a time.
type Authenticator struct {
	mac hash.Hash
	sum [sha256.Size]byte
}

// Authenticator returns the Authenticator of a key.
func (k Key) Authenticator() *Authenticator { return &Authenticator{mac: hmac.New(sha256.New, k[:])} }

// Of returns the MAC of a text.
func (a *Authenticator) Of(text string) MAC {
	a.mac.Reset()
	a.mac.Write([]byte(text))
	return MAC(a.mac.Sum(a.sum[:0])[:len(MAC{})])
}

// A Roller hashes 8 bytes to 24 bits, by multiplication with a number that is a secret (M. Dietzfelbinger and others: A Reliable
// Randomized Algorithm for the Closest-Pair Problem, 1997). So few bits that they do not tell the 8 bytes, and enough that one of
// 16 million places in a text is looked at in vain for each Print.
type Roller struct{ factor, added uint64 }

// RollBits is the number of bits of a Roller's hash.
const RollBits = 24

// Roller returns the Roller of a key.
func (k Key) Roller() Roller {
	sum := hmac.New(sha256.New, k[:])
	sum.Write([]byte("tidepool: roll"))
	random := sum.Sum(nil)
	return Roller{binary.LittleEndian.Uint64(random) | 1, binary.LittleEndian.Uint64(random[8:])}
}

// Roll returns the hash of the first 8 bytes of a text, which has as many.
func (r Roller) Roll(text string) uint32 {
	_ = text[MinLength-1]
	first := uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
		uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
	return uint32((first*r.factor + r.added) >> (64 - RollBits))
}
