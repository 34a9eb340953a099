package scrub

import (
	"tidepool/internal/fingerprint"
)

// knownRule begins the Rule of a Finding that is a known value; the name of its variable or file follows.
const knownRule = "value of "

// maxPrints bounds the prints that are searched for. They take about 100 bytes each, and five to ten a value. The oldest go.
const maxPrints = 16 << 10

// macCost is the cost of checking one print, and of a byte of it, in nanoseconds, measured.
const (
	macCost     = 300
	macByteCost = 2
)

// knownValues is what is known of secret values. It does not change: learning makes another one.
type knownValues struct {
	key    fingerprint.Key
	roller fingerprint.Roller
	allow  []string            // values that are not looked for
	prints []fingerprint.Print // in the order in which they were learned last
	byRoll map[uint32][]fingerprint.Print
	// some has a bit for each value of a roll's upper bits: whether there is such a print. 8 KB stay in the processor's first cache.
	some [1 << (someBits - 6)]uint64
}

// someBits is the number of upper bits of a roll that some has.
const someBits = 16

// newKnownValues returns the known values of these prints, none of which is of a value of allow. The last ones count if there are too many.
func newKnownValues(key fingerprint.Key, allow []string, prints []fingerprint.Print) *knownValues {
	v := &knownValues{key: key, roller: key.Roller(), allow: allow, prints: prints[max(0, len(prints)-maxPrints):], byRoll: make(map[uint32][]fingerprint.Print)}
	for _, p := range v.prints {
		v.byRoll[p.Roll] = append(v.byRoll[p.Roll], p)
		upper := p.Roll >> (fingerprint.RollBits - someBits)
		v.some[upper/64] |= 1 << (upper % 64)
	}
	return v
}

// with returns the known values with some more. What is learned again counts as new. Prints that no text can have are left out.
func (v *knownValues) with(more []fingerprint.Print) *knownValues {
	again, allowed := make(map[fingerprint.MAC]bool), make(map[fingerprint.MAC]bool)
	authenticator := v.key.Authenticator()
	for _, value := range v.allow {
		allowed[authenticator.Of(value)] = true
	}
	var valid []fingerprint.Print
	for _, p := range more {
		if allowed[p.Value] || p.Length < fingerprint.MinLength || p.Length > fingerprint.MaxLength || p.Roll >= 1<<fingerprint.RollBits || again[p.MAC] {
			continue
		}
		p.Name = p.Name[:min(len(p.Name), fingerprint.MaxName)]
		again[p.MAC], valid = true, append(valid, p)
	}
	var all []fingerprint.Print
	for _, p := range v.prints {
		if !again[p.MAC] {
			all = append(all, p)
		}
	}
	return newKnownValues(v.key, v.allow, append(all, valid...))
}

// find returns where known values stand in a text.
func (v *knownValues) find(text string, work *budget) ([]hit, error) {
	if v == nil || len(v.prints) == 0 {
		return nil, nil
	}
	var found []hit
	var authenticator *fingerprint.Authenticator
	for at := 0; at+fingerprint.MinLength <= len(text); at++ {
		roll := v.roller.Roll(text[at:])
		upper := roll >> (fingerprint.RollBits - someBits)
		if v.some[upper/64]&(1<<(upper%64)) == 0 {
			continue
		}
		for _, p := range v.byRoll[roll] {
			if at+p.Length > len(text) {
				continue
			}
			if err := work.spend(macCost + p.Length*macByteCost); err != nil {
				return nil, err
			}
			if authenticator == nil {
				authenticator = v.key.Authenticator()
			}
			if authenticator.Of(text[at:at+p.Length]) == p.MAC {
				found = append(found, hit{Finding{knownRule + p.Name, at, at + p.Length}, p.Value})
			}
		}
	}
	return found, nil
}
