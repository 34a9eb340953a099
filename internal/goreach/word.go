package goreach

import (
	"math"
	"strings"

	"tidepool/internal/gopackage"
)

// count notes the words of each test and how many tests have each.
func (c *Calls) count() {
	c.words, c.having = make(map[*gopackage.Function]map[string]bool), make(map[string]int)
	for _, test := range c.tests {
		words := setOf(test.Words)
		for _, u := range test.Uses {
			if v := c.index.Function(u.To); v != nil && v.Test {
				for _, word := range v.Words {
					words[word] = true
				}
			}
		}
		c.words[test] = words
		for word := range words {
			c.having[word]++
		}
	}
}

// A weighed set of words counts the more for a word, the fewer tests have it.
type weighed map[string]float64

func (c *Calls) weigh(words []string) weighed {
	all := make(weighed)
	for _, word := range words {
		all[word] = math.Log(float64(len(c.tests)+1) / float64(c.having[word]+1))
	}
	return all
}

// A subject is the words that a function is about.
type subject struct{ name, receiver, body, around, signs weighed }

func (c *Calls) about(fn *gopackage.Function) subject {
	receiver, name, ok := strings.Cut(fn.Name, ".")
	if !ok {
		receiver, name = "", fn.Name
	}
	var around, words, signs []string
	for _, word := range fn.Words {
		if len(word) == 1 {
			signs = append(signs, word)
		} else {
			words = append(words, word)
		}
	}
	for _, u := range c.index.Uses(fn.At) {
		if !u.By.Test {
			around = append(around, gopackage.Words(u.By.Name[strings.LastIndexByte(u.By.Name, '.')+1:])...)
		}
	}
	return subject{
		name: c.weigh(gopackage.Phrases(name)), receiver: c.weigh(gopackage.Words(receiver)),
		body: c.weigh(words), around: c.weigh(around), signs: c.weigh(signs),
	}
}

// A match is how much of a weighed set another set has.
type match struct {
	share float64 // of its weight
	sum   float64 // the weight itself, as a logarithm
	most  float64 // that of the rarest word
}

func overlap(of weighed, has map[string]bool) match {
	all, sum, most := 1e-9, 0.0, 0.0
	for word, weight := range of {
		all += weight
		if has[word] {
			sum += weight
			most = max(most, weight)
		}
	}
	return match{sum / all, math.Log1p(sum), most}
}

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}
