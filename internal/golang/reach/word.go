package reach

import (
	"math"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/packages"
)

// count notes the words of each test, and how many tests have each word.
func (c *Calls) count() {
	c.words, c.having = make(map[*fact.Function]map[string]bool), make(map[string]int)
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

// A subject is the words of a function's name, of its body, and of the names of what uses it.
type subject struct{ name, body, around weighed }

func (c *Calls) about(fn *fact.Function, body []string) subject {
	var around []string
	for _, u := range c.index.Uses(fn.At) {
		if !u.By.Test {
			around = append(around, packages.Words(u.By.Base())...)
		}
	}
	return subject{name: c.weigh(packages.Phrases(fn.Base())), body: c.weigh(body), around: c.weigh(around)}
}

// A match is how much of a weighed set another set has.
type match struct {
	share float64 // of its weight
	sum   float64 // the weight; a logarithm
	most  float64 // the weight of the rarest word
}

func overlap(of weighed, has map[string]bool) match {
	all, sum, most := 0.0, 0.0, 0.0
	for word, weight := range of {
		all += weight
		if has[word] {
			sum += weight
			most = max(most, weight)
		}
	}
	if all == 0 {
		return match{}
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
