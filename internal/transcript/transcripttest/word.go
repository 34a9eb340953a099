package transcripttest

import (
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A vocabulary gives words by their rank: the most frequent first. Behind the listed ones stand identifiers and paths that are
// composed of them, as many as the archive of a real project has.
type vocabulary struct {
	words []string
	zipf  *rand.Zipf
	rand  *rand.Rand
}

// distinct is how many words there are. A project of 200,000 turns has some hundred thousand.
const distinct = 150_000

func newVocabulary(r *rand.Rand) *vocabulary {
	return &vocabulary{words: strings.Fields(english), rand: r, zipf: rand.NewZipf(r, 1.08, 3, distinct-1)}
}

// word returns a word as often as its rank asks for.
func (v *vocabulary) word() string { return v.at(int(v.zipf.Uint64())) }

// rare returns a word that few turns have.
func (v *vocabulary) rare() string {
	return v.at(len(v.words) + v.rand.IntN(distinct-len(v.words)))
}

// at returns the word of a rank.
func (v *vocabulary) at(rank int) string {
	n := len(v.words)
	if rank < n {
		return v.words[rank]
	}
	// The functions of a rank spread it over all words, so that neighbours in rank have nothing in common.
	rank -= n
	a, b := v.words[(rank*7919+13)%n], v.words[(rank/n*104729+rank*31)%n]
	switch rank % 6 {
	case 0:
		return a + capital(b)
	case 1:
		return capital(a) + capital(b)
	case 2:
		return a + "_" + b
	case 3:
		return a + "/" + b + ".go"
	case 4:
		return invented(rank)
	}
	return capital(invented(rank)) + capital(a)
}

func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// invented returns a word of syllables for a number.
func invented(n int) string {
	const first, second = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for n += 70; n > 0; n /= len(first) * len(second) {
		b.WriteByte(first[n%len(first)])
		b.WriteByte(second[n/len(first)%len(second)])
	}
	return b.String()
}

// sentence returns about so many words, some of them from a topic.
func (v *vocabulary) sentence(words int, topic []string) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if v.rand.IntN(6) == 0 {
			b.WriteString(topic[v.rand.IntN(len(topic))])
		} else {
			b.WriteString(v.word())
		}
		if i%12 == 11 {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// code returns a fenced block of so many lines.
func (v *vocabulary) code(lines int, topic []string) string {
	var b strings.Builder
	b.WriteString("```go\n")
	for range lines {
		b.WriteString("\t" + v.word() + " := " + topic[v.rand.IntN(len(topic))] + "(" + v.word() + ", \"" + v.word() + "\")\n")
	}
	return b.String() + "```"
}

// english is about the most frequent words of dialogues about programs, the most frequent first.
const english = `the to a and of is in it that for this with on be as not are if we can so from now have but or by when which at an all
test file you use one will has code was then no do only more error function there these how first should line what each its
run new add also read two see type check same after call where get into need change name because case would make my any does
just path other value path up here both fix let out build still than instead before every data already list while them between
work time way key like find set return tests over main since part string pass without current second order command too server
make empty even error again write next result left through package output look user end default want missing good last message
keep start right field wrong state back question config used cache version very don't files never point under such once lines
must another log start commit object process request index branch method context input question cause client think token three
might values known small option exists real issue off load page fail full different match number event match something less
length break open place show directory source both cost happens reason bytes handle single check thread lock size limit retry
table memory timeout stop close parse help query module simple response failing update clean step nothing actually body around
today header few database try channel root variable search half copy hook loop loads import reader writer buffer rather yet move
common shared expected schema parent child count race local remote better large whole sure flag level session host record column
tree old split local job queue worker signal move edge filter sort map slice array struct interface pointer nil panic recover
defer mutex atomic deadlock goroutine compile link assert mock stub fixture golden snapshot bench profile trace metric latency
throughput gateway proxy socket port address route handler middleware cookie password secret token header encode decode escape
quote unicode prefix suffix pattern regex glob wildcard symlink inode mount volume container image layer registry deploy release
rollback migration backup restore replica shard partition leader follower quorum consensus election heartbeat lease epoch clock
drift skew window bucket quota rate burst backoff jitter circuit breaker fallback primary secondary stale fresh warm cold evict
expire refresh invalidate flush drain shutdown graceful abort cancel deadline budget naïve größe café priority 検索 会話 履歴 fairness starvation throttle`
