package extract

import (
	"regexp"
	"strings"

	"tidepool/internal/wording"
)

var (
	listMark     = pattern(`^\s*(?:[-*•]|\d+[.)])\s+`)
	fullStop     = pattern(`[.!?]+["')\]]*\s+`)
	abbreviation = pattern(`(?i)(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|no|[a-z])$`)
	inlineCode   = pattern("`[^`]*`")
	quotation    = pattern(`"[^"]*"|(?:^|[\s(:])'[^']+'(?:$|[\s).,;:!?])`)
	emphasis     = pattern(`[*_]{1,2}([a-z][^*_]*)[*_]{1,2}`)
	introduction = pattern(
		`\b(?:says?|said|saying|states?|reads?|wrote|writes|told|replied|answered|docs?|documentation|readme|guides?|guidelines?|rules?|` +
			`article|post|comment|comments|review|message|error|errors|output|logs?|printed|prints|shows?|from|quote|spec|ticket|issue|email|` +
			`mail|thread|text|snippet|example|examples|paste|pasted|translate|rewrite|summari[sz]e|proofread|following|below|this)\b`)
)

// forms are the ways to write a contraction, each with the one that rules know.
var forms = []struct {
	sign    string // a text without it is not looked at; "": each is
	written func() *regexp.Regexp
	plain   string
}{
	{"do", pattern(`\bdo not\b|\bdont\b|\bdo n't\b`), "don't"}, {"pl", pattern(`\b(?:pls|plz)\b`), "please"},
	{"you ", pattern(`\byou (?:must not|mustn't|should not|shouldn't)\b`), "don't"}, {"we ", pattern(`\bwe (?:must not|mustn't|should not|shouldn't)\b`), "we don't"},
	{"must never", pattern(`\bmust never\b`), "should never"}, {"must always", pattern(`\bmust always\b`), "should always"},
	{"", pattern(`,? (?:ok|okay|please|alright|got it|understood|thanks|thank you)\s*[?.!]*$`), ""},
}

// A sentence is one that a person typed.
type sentence struct {
	text  string // as it was typed, on one line
	plain string // for matching: lower case, without what stands in quotes, with one form of each contraction
	told  bool   // it stands below a line that introduces somebody else's words
}

// sentences splits a typed text. A line ends a sentence, unless the next one goes on in lower case.
func sentences(typed string) []sentence {
	var all []sentence
	told := false
	for paragraph := range strings.SplitSeq(typed, "\n\n") {
		lines := joinWrapped(strings.Split(strings.Trim(paragraph, "\n"), "\n"))
		foreign := told
		told = false
		for _, line := range lines {
			for _, text := range splitLine(line) {
				text = wording.OneLine(text)
				s := sentence{text: text, plain: plain(text), told: foreign}
				all = append(all, s)
				if introduces(s.plain) {
					foreign, told = true, true
				}
			}
		}
	}
	return all
}

// joinWrapped joins lines that were broken within a sentence, and removes the marks of lists.
func joinWrapped(lines []string) []string {
	var joined []string
	for _, line := range lines {
		item := listMark().MatchString(line)
		line = strings.TrimSpace(listMark().ReplaceAllString(line, ""))
		if line == "" {
			continue
		}
		if n := len(joined); n > 0 && !item && line[0] >= 'a' && line[0] <= 'z' && !strings.ContainsAny(joined[n-1][len(joined[n-1])-1:], ".!?:;") {
			joined[n-1] += " " + line
			continue
		}
		joined = append(joined, line)
	}
	return joined
}

// splitLine splits a line behind its full stops, which those of e.g. and v1.2 are not.
func splitLine(line string) []string {
	var parts []string
	from := 0
	for _, at := range fullStop().FindAllStringIndex(line, -1) {
		before := line[from:at[0]]
		if abbreviation().MatchString(before) && line[at[0]] == '.' {
			continue
		}
		parts = append(parts, strings.TrimSpace(line[from:at[1]]))
		from = at[1]
	}
	if rest := strings.TrimSpace(line[from:]); rest != "" {
		parts = append(parts, rest)
	}
	return parts
}

// plain returns the form of a sentence that rules look at. What is quoted becomes the word quoted: somebody else may have said it.
func plain(text string) string {
	text = strings.ToLower(strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "…", "...", "–", "-", "—", "-").Replace(text))
	if strings.Contains(text, "`") {
		text = inlineCode().ReplaceAllString(text, "code")
	}
	if strings.ContainsAny(text, `"'`) {
		text = quotation().ReplaceAllString(text, " quoted ")
	}
	if strings.ContainsAny(text, "*_") {
		text = emphasis().ReplaceAllString(text, "$1")
	}
	for _, form := range forms {
		if form.sign != "" && !strings.Contains(text, form.sign) {
			continue
		}
		text = form.written().ReplaceAllString(text, form.plain)
	}
	return strings.Join(strings.Fields(text), " ")
}

// introduces reports whether a sentence announces what somebody else has said or written.
func introduces(plain string) bool {
	return strings.HasSuffix(plain, ":") && introduction().MatchString(plain)
}
