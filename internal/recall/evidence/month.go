package evidence

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A month is one that a prompt names. A memory of it is more likely what is asked for.
type month struct {
	year int // 0: the prompt names none
	of   time.Month
}

// monthsOf returns the months that a text names: by their English names, beside a number or behind a word such as in. May is also a verb.
func monthsOf(text string) []month {
	if !hasMonth(text) {
		return nil
	}
	var found []month
	words := strings.FieldsFunc(strings.ToLower(text), isNoWord)
	at := func(i int) string {
		if i < 0 || i >= len(words) {
			return ""
		}
		return words[i]
	}
	for i, word := range words {
		m := monthOf(word)
		if m == 0 || !isTime(at(i-1)) && !isNumber(at(i+1)) {
			continue
		}
		one := month{of: m}
		for _, near := range []string{at(i + 1), at(i + 2), at(i - 1)} {
			if n, err := strconv.Atoi(near); err == nil && n > 1000 && n < 10000 && one.year == 0 {
				one.year = n
			}
		}
		found = append(found, one)
	}
	return found
}

func isNoWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// hasMonth reports whether a word of a text is the name of a month. Most prompts have none, and need not be cut for the words around it.
func hasMonth(text string) bool {
	for word := range strings.FieldsFuncSeq(text, isNoWord) {
		if len(word) <= len("september") && monthOf(strings.ToLower(word)) != 0 {
			return true
		}
	}
	return false
}

// monthOf returns the month that a word in small letters names, 0 for none.
func monthOf(word string) time.Month {
	if len(word) < len("may") || len(word) > len("september") || !strings.Contains("jfmasond", word[:1]) {
		return 0
	}
	for m := time.January; m <= time.December; m++ {
		if name := strings.ToLower(m.String()); word == name || len(word) >= 3 && len(word) <= 4 && strings.HasPrefix(name, word) {
			return m
		}
	}
	return 0
}

func isTime(word string) bool {
	switch word {
	case "in", "during", "since", "until", "last", "of", "by", "before", "after", "early", "late", "mid", "around":
		return true
	}
	return isNumber(word)
}

// isNumber reports whether a word is a number, such as 12 or 12th.
func isNumber(word string) bool { return word != "" && unicode.IsDigit(rune(word[0])) }

// has reports whether a time is of one of the months.
func inMonths(months []month, at time.Time) bool {
	for _, m := range months {
		if !at.IsZero() && at.UTC().Month() == m.of && (m.year == 0 || at.UTC().Year() == m.year) {
			return true
		}
	}
	return false
}
