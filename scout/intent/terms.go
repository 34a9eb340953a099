package intent

import (
	"strconv"
	"strings"
)

// Terms are the particulars of a change, as far as the words give them.
type Terms struct {
	From     string // the type, or the name, that there is
	To       string // the type, or the name, that there will be
	Member   string // the field, method, variant or parameter that the words name
	Position int    // of a parameter: 1 is the first, -1 the last; 0: they do not say
	Levels   int    // of callers; 0: they do not say
	// Direction is what an open question asks for: "uses", what the symbol uses; "users", what uses it; "writers", what
	// gives it its value; "": all of them.
	Direction string
}

// termsOf finds the terms of a kind of change.
func termsOf(text, kind string, s Subject) Terms {
	var t Terms
	switch kind {
	case "change_type":
		if alias.get().MatchString(text) {
			t.To = "alias"
			break
		}
		t.From, t.To = retyped(text, s)
	case "rename":
		t.To = renamed(text, s)
	case "add_parameter":
		t.Position = position(text)
	case "change_signature":
		t.Position = position(text)
		if resultText.get().MatchString(text) {
			t.From, t.To = retyped(text, Subject{Name: s.Name})
		}
		if strings.Contains(t.To, "(") { // it may be all of the signature, or its results
			t.From, t.To = "", ""
		}
	case "remove_parameter", "remove_result", "reorder_parameters":
		t.Position = position(text)
	case "retype_parameter":
		t.Position = position(text)
		t.From, t.To = retyped(text, Subject{Name: s.Name})
	case "rename_parameter":
		t.Position, t.To = position(text), lastNamed(text, s)
	case "change_value":
		t.To = lastOf(valueText, text)
	case "move":
		t.To = lastOf(targetText, text)
	case "add_field":
		t.Member = lastOf(fieldText, maskFirst(text, s.Name))
	case "return_error":
		t.Levels = levels(text)
	case "remove_field":
		if s.Class == Struct || s.Class == Unknown {
			t.Member = member(text, fieldNamed, s)
		}
	case "add_method":
		t.Member = member(text, methodNamed, s)
	case "other":
		t.Direction = direction(text, s) // "uses", "users" or "writers"
	}
	return t
}

var (
	numbers   = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	countable = `(\d+|` + strings.Join(numbers[1:], "|") + `|a single|direct)`
	levelText = matching(`(?i)\b` + countable + `[ -](?:more |further )?(?:levels?|steps?|hops?|calls?|callers?|frames?|rounds?|layers?|generations?|times|deep)\b`)
	levelTail = matching(`(?i)\b(?:depth|levels?)(?: of)?:? ` + countable + `\b`)
)

var (
	valueText  = matching("(?i)(?:\\b(?:to|be|becomes?|is|as)|=|→|->)\\s+`?(true|false|nil|null|undefined|none|-?\\d[\\w.]*|\"[^\"]*\"|'[^']*')")
	targetText = matching("(?i)\\bto (?:(?:the|a|an|its own) )?(?:(?:package|pkg|module|file|directory|folder|namespace) )?[`'\"]?([\\w-]+(?:[./][\\w.-]+)*)")
	calledText = matching("(?:\\b(?:to|into|as|called|named)|→|->)\\s+[`'\"]?([\\pL_]\\w*)")
	fieldText  = matching("(?i:\\bfields?)(?: [`'\"]?([A-Z]\\w*)|(?: called| named)? [`'\"]([\\pL_]\\w*))")
	noNewName  = matching(`(?i)^(an?|the|it|its|be|something|another|other|better|new|what|fit|match)$`)
	anywhere   = matching(`(?i)^(another|a|an|the|its|different|new|other|package|pkg|module|file|somewhere|else)$`)
)

// lastOf returns what the last match of a pattern names; "" if that is no name of its own.
func lastOf(p *pattern, text string) string {
	found := p.get().FindAllStringSubmatch(text, -1)
	if len(found) == 0 {
		return ""
	}
	if last := strings.Join(found[len(found)-1][1:], ""); !anywhere.get().MatchString(last) {
		return last
	}
	return ""
}

// lastNamed returns the new name that words give a part of a symbol; "" if they give none.
func lastNamed(text string, s Subject) string {
	found := calledText.get().FindAllStringSubmatch(maskFirst(text, s.Name), -1)
	if len(found) == 0 || noNewName.get().MatchString(found[len(found)-1][1]) {
		return ""
	}
	return found[len(found)-1][1]
}

var resultText = matching(`(?i)\b(return|result|yield)`)

// levels returns how many levels of callers the words ask for.
func levels(text string) int {
	m := levelText.get().FindStringSubmatch(text)
	if m == nil {
		m = levelTail.get().FindStringSubmatch(text)
	}
	if m == nil {
		return 0
	}
	word := strings.ToLower(m[1])
	for n, name := range numbers {
		if word == name {
			return n
		}
	}
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	return 1 // a single, direct
}

var (
	ordinalText = matching(`(?i)\b(first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th|final)\b`)
	frontText   = matching(`(?i)\b(in front|prepend\w*|at the (beginning|start|front)|leading|before (the|all|everything|its))\b`)
	backText    = matching(`(?i)\b(append\w*|at the end|trailing|tack\w*|after (the|all|everything))\b`)
)

// position returns where the words want a parameter, or of which parameter they speak.
func position(text string) int {
	if m := ordinalText.get().FindString(text); m != "" {
		switch strings.ToLower(m) {
		case "first", "1st":
			return 1
		case "second", "2nd":
			return 2
		case "third", "3rd":
			return 3
		case "fourth", "4th":
			return 4
		case "fifth", "5th":
			return 5
		}
		return -1
	}
	switch {
	case frontText.get().MatchString(text):
		return 1
	case backText.get().MatchString(text):
		return -1
	}
	return 0
}

const identifier = "`?([\\pL_][\\pL\\pN_]*)`?"

var (
	// After one of these a new name may stand.
	nameCue = matching(`(?i)(\b(called|named|renamed|titled|rechristened|rebaptised|spelt|spelled|known as|name of|read|into|to|as|call it|name it|call|name|heißt|heissen|heißen|heisst|besser|bald|künftig|better|that is|i\.e\.|simply|be)\b|:|->|→|=>)\s*`)
	noName  = matching(`^(spelled|spelt|bald|besser|künftig|jetzt|dann|in|zukunft|ein|eine|der|die|das|call|a|an|the|it|its|is|to|be|as|in|name|new|renamed|called|named|by|of|from|on|instead|better|other|another|different|what|which|who|where|rename|has|have|gets?|will|would|should|shall|ought|must|now|and|or|everywhere|something|somewhat|else|interface|type|struct|method|function|field|known|bad|simply|follow|touch|that|this|typo|word|with|only|just|spelt|read|i|so|if|all|any|because|symbol)$`)
	aWord   = matching("^(?:`?[\\pL_][\\pL\\pN_]*(?:\\.|::|#))*" + identifier) // what a new name is qualified by is no part of it
	behind  = matching(markSymbol + "\\s+`?([\\pL_]*[\\p{Lu}_][\\pL\\pN_]*)`?")
	swapped = matching("\\bs/" + markSymbol + "/" + identifier)
	wouldBe = matching(identifier + ` (?:would|might|should|will) be\b`)
)

// renamed returns the new name: the first word behind a cue that is no English filler.
func renamed(text string, s Subject) string {
	masked := maskFirst(text, s.Name)
	for at := 0; at < len(masked); {
		cue := nameCue.get().FindStringIndex(masked[at:])
		if cue == nil {
			break
		}
		rest := masked[at+cue[1]:]
		if m := aWord.get().FindStringSubmatch(rest); m != nil && isName(m[1]) {
			return m[1]
		}
		at += max(1, cue[1]-1)
	}
	for _, p := range []*pattern{swapped, wouldBe, behind} {
		if m := p.get().FindStringSubmatch(masked); m != nil && isName(m[1]) {
			return m[1]
		}
	}
	return ""
}

func isName(word string) bool {
	return !noName.get().MatchString(word) && !sentence.get().MatchString(word)
}

// maskFirst puts the mark of the symbol at the first place of its name, as far as
// it is written out.
func maskFirst(text, name string) string {
	parts := nameParts(name)
	for i := range parts {
		for _, tail := range []string{strings.Join(parts[i:], "."), name} {
			if at := wordIndex(text, tail, 0); at >= 0 {
				return text[:at] + markSymbol + text[at+len(tail):]
			}
		}
	}
	return text
}

var (
	fieldNamed = []*pattern{
		matching(`(?i)\b(?:field|member|attribute|property|embedded|embeds?|embedding)\s+(?:struct |field |member |type |of )?` + identifier),
		matching(`(?i)\b(?:remov\w*|delet\w*|drop\w*|ditch\w*|takes?|los\w*|cut\w*|strip\w*|eliminat\w*)\s+(?:its |the |a )?` + identifier),
	}
	methodNamed = []*pattern{
		matching("`?([\\pL_][\\pL\\pN_]*)\\("),
		matching(`(?:method|function|operation|func)\s+(?:called |named )?` + "`?([A-Z][\\pL\\pN_]*)`?"),
		matching("\\b(?:a|an|the|by|Put|put|add|Add|provide|offer|have|require|support|needs|prescribe|declare)\\s+`?([A-Z][\\pL\\pN_]*)`?"),
	}
)

// member returns the first name that a pattern finds and that is no English.
func member(text string, patterns []*pattern, s Subject) string {
	masked := maskFirst(text, s.Name)
	for _, p := range patterns {
		for _, m := range p.get().FindAllStringSubmatch(masked, -1) {
			if !filler.get().MatchString(m[1]) && !sentence.get().MatchString(m[1]) {
				return m[1]
			}
		}
	}
	return ""
}

// filler matches what may stand before the name of a member, and is none.
var filler = matching(`(?i)^(an?|the|its?|is|are|was|of|from|in|out|to|by|and|or|away|that|this|what|which|where|who|struct|type|field|member|method|function|any|all|one|longer|more|symbol|something|with|without|for|on|if|only|embedded)$`)

// In these the symbol uses something, and in those something uses the symbol.
var (
	usesText = matching(`(?i)\b(do|does|did|will|would|can|is|are) §symbol [^.?!]*\b(call|calls|use|uses|using|invoke|need|needs|require|requires|rely|relies|depend|depends|dependent|touch|import|reach|consult|delegate|built (up)?on)\b|` +
		`§symbol( itself| in turn)? (calls?|uses?|invokes?|needs|requires?|relies|depends|delegates|reaches|touches|pulls in)\b|` +
		`\b(called|used|invoked|needed|required|reached|touched|consulted) (by|from|in|inside|within) §symbol|` +
		`\b(dependenc\w+|callees?|helpers?|collaborators?|ingredients|parts|building blocks) (of|for|behind|in) §symbol|` +
		`\b(how|what) (does|do|is|are) §symbol( \w+)? (work|works|working|do|doing|function|tick|made of|implemented|built)\b|\bbehind §symbol`)
	usersText = matching(`(?i)\b(who|what|which( \w+)?|anybody|anyone|anything|everything|nobody|everyone|whoever|code)( (else|that|then|all|still|actually|directly|even|in \w+))* (calls?|uses?|invokes?|needs|requires?|relies on|depends? on|touch(es)?|construct(s)?|creates?|reads?|writes?|sets?|imports?|consumes?|talks to|refers? to|mentions?) (\w+ )?§symbol|` +
		`\b(callers?|users?|usages?|uses|references?|call sites?|consumers?|clients?|mentions?) (of|to|for) §symbol|` +
		`\b(where|how often|from where|by whom|by what|how|when) (is|are|does|do|gets?|will) §symbol [^.?!]*\b(used|called|invoked|referenced|constructed|created|set|read|written|needed|come from|mentioned)\b|§symbol (usages?|callers?|references?|call sites?)\b`)
)

// direction is which way an open question looks.
func direction(text string, s Subject) string {
	masked := markedOnly(text, s.Name)
	uses, users := usesText.get().MatchString(masked), usersText.get().MatchString(masked)
	switch {
	case !uses && valued(s.Class) && writersText.get().MatchString(masked):
		return "writers"
	case users && !uses:
		return "users"
	case uses && !users && !explainText.get().MatchString(masked), !users && howText.get().MatchString(masked):
		return "uses"
	}
	return ""
}

// valued reports whether what is written to a symbol can be told; of those of which nothing is known it may be.
func valued(class Class) bool {
	return class == Field || class == Variable || class == Embedded || class == Unknown
}

// bareMark is the symbol with what one may write around it.
var bareMark = matching("[`'\"(]* ?" + markSymbol + " ?(\\(\\))?[`'\")]*")

var (
	// howText asks how something is done, of which a symbol may be a part.
	howText = matching(`(?i)(^|[.?!] )(explain )?how (do|does|is|are) [^.?!]*\b(work|works|working|done|decided|handled|happen|happens|implemented|routed|function|determined|chosen|computed|processed|found|resolved)\b`)
	// explainText asks for all that helps to understand, even if it asks what the symbol does.
	explainText = matching(`(?i)\b(explain|understand)\b`)
	// writersText asks what gives the symbol its value.
	writersText = matching(`(?i)\b(where|how) (do|does|did|is|are|was|were) (the (value|values|contents?) of )?§symbol [^.?!]*\b(come from|comes from|get its value|set|assigned|written|initiali[sz]ed|filled|changed|modified|populated)\b|\b(who|what|which( \w+)?|everything( that)?) (sets?|writes?|assigns?|fills?|changes|modifies|mutates|initiali[sz]es|populates) (to )?§symbol`)
)
