package learned

import (
	"math"
	"path"
	"strings"
	"unicode"

	"tidepool/scout"
)

// A feature is one thing that an edge shows.
type feature struct {
	name  string
	value float64 // 1 for what is so; numbers are about 0 to 1
}

// featuresOf lists what an edge shows under a kind of change. Names with "of" are
// about one kind only.
func featuresOf(kind scout.ChangeKind, e scout.Edge) []feature {
	list := []feature{{"always", 1}}
	add := func(name string, value float64) {
		if value != 0 {
			list = append(list, feature{name, value}, feature{name + " of " + string(kind), value})
		}
	}
	add("role "+string(e.Role), 1)
	add("test", yes(e.Test))
	add("steps", math.Min(float64(e.Depth), 5)/5)
	add("rank", math.Log1p(float64(e.Rank))/5)
	add("chain ends", yes(e.Last))
	add("graph says what to do", yes(e.Fix != ""))
	add("generated", yes(generated(e)))
	add("exported", yes(exported(e.From.Name)))
	add("same file", yes(e.To.Path == e.From.Path))
	add("same package", yes(path.Dir(e.To.Path) == path.Dir(e.From.Path)))
	add("directories away", math.Min(float64(distance(e.From.Path, e.To.Path)), 6)/6)
	add("alike names", similarity(last(e.From.Name), last(e.Enclosing)))
	add("line names it", yes(names(line(e), last(e.From.Name))))
	add("line calls it", yes(strings.Contains(line(e), last(e.From.Name)+"(")))
	add("own type", yes(owner(e.From.Name) != "" && owner(e.From.Name) == owner(e.Enclosing)))
	add("of "+e.From.Kind, 1)
	return list
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// generated tells files that are made by a program by what they say of it, or
// by how they are called.
func generated(e scout.Edge) bool {
	if _, says := e.Trait(scout.TraitGenerated); says {
		return true
	}
	base := path.Base(e.To.Path)
	for _, mark := range []string{"_gen.", ".gen.", ".pb.", "_string.", "zz_generated", "generated", "_mock.", "mock_"} {
		if strings.Contains(base, mark) {
			return true
		}
	}
	return false
}

func exported(name string) bool {
	for _, r := range last(name) {
		return unicode.IsUpper(r)
	}
	return false
}

// distance is how many directories lie between two files.
func distance(a, b string) int {
	as, bs := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	for len(as) > 0 && len(bs) > 0 && as[0] == bs[0] {
		as, bs = as[1:], bs[1:]
	}
	return len(as) + len(bs)
}

// similarity is the share of the words of a name that another has, 0 to 1.
func similarity(a, b string) float64 {
	words := wordsOf(a)
	shared := 0
	for word := range words {
		if wordsOf(b)[word] {
			shared++
		}
	}
	if shared == 0 {
		return 0
	}
	return float64(shared) / float64(len(words))
}

// wordsOf are the words that a name in camelCase or snake_case is made of.
func wordsOf(name string) map[string]bool {
	words := make(map[string]bool)
	begin := 0
	runes := []rune(name)
	for i := 1; i <= len(runes); i++ {
		if i == len(runes) || unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1]) || runes[i] == '_' {
			if word := strings.Trim(strings.ToLower(string(runes[begin:i])), "_"); word != "" {
				words[word] = true
			}
			begin = i
		}
	}
	return words
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func owner(name string) string {
	before, _, _ := strings.Cut(name, ".")
	if before == name {
		return ""
	}
	return before
}

func line(e scout.Edge) string {
	text, _, _ := strings.Cut(e.Snippet, "\n")
	return text
}

// names reports whether a name stands in a line as a word.
func names(line, name string) bool {
	if name == "" {
		return false
	}
	_, after, found := strings.Cut(line, name)
	for found {
		if r := after; r == "" || !unicode.IsLetter(rune(r[0])) && !unicode.IsDigit(rune(r[0])) {
			return true
		}
		_, after, found = strings.Cut(after, name)
	}
	return false
}
