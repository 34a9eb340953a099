package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"tidepool/internal/recall/memory"
)

var (
	approval = pattern(`^(?:no|nope|actually|wrong|hmm|well)[,.!: ]+(?:no )?(?:it's |that's |that is |this is |looks? |all |very |really |quite |pretty |you're |you are |i was |my )*` +
		`(?:fine|good|great|perfect|nice|ok|okay|works?|right|correct|problem|problems|worries|worry|need|idea|clue|rush|hurry|matter|more|changes?|mistake|bad|wrong|thanks?|thank you|errors?|tests?|issues?|longer|one|way|luck|failures?)\b`)
	objection = pattern(`^(?:no(?:pe)?(?:[,.!:;]| -| that| this| you| it| not| i | don't| we | keep| use| put| leave| the )|actually[, ]|wrong[,.!: ]|i (?:already )?(?:said|told you|asked (?:you )?(?:for|to)|meant)\b|` +
		`that's (?:not|wrong)|that is (?:not|wrong)|not like (?:that|this)|you(?:'ve| have)? (?:forgot|broke|misunderstood|removed|deleted|ignored)|please (?:undo|revert)|undo (?:that|this)|revert (?:that|this))`)
)

// correction returns what a prompt objects to after the model has edited files, in the user's own words. It is told once the user
// has objected twice: the first time may be about these files alone.
func correction(typed string, edited []string) []memory.Draft {
	if len(edited) == 0 {
		return nil
	}
	all := sentences(typed)
	if len(all) == 0 || len(typed) > longTyped || !objects(all[0].plain) || isQuestion(all[0].text, all[0].plain) {
		return nil
	}
	quote := all[0].text
	if len(strings.Fields(quote)) < 4 && len(all) > 1 && !isQuestion(all[1].text, all[1].plain) { // "No. Keep the receiver."
		quote += " " + all[1].text
	}
	if len(strings.Fields(quote)) < 4 || utf8.RuneCountInString(quote) > maxQuote {
		return nil
	}
	return []memory.Draft{{
		Kind: memory.Preference, Trust: memory.Observed, Gist: quote, Content: quote, Source: sourcePrompt, Twice: true,
		Tags: []string{"correction"}, Files: latest(edited, 3),
	}}
}

// objects reports whether a sentence begins with an objection.
func objects(plain string) bool {
	if approval().MatchString(plain) {
		return false
	}
	return objection().MatchString(plain)
}

// latest returns the last n of a list, the latest first.
func latest(list []string, n int) []string {
	list = slices.Clone(list[max(0, len(list)-n):])
	slices.Reverse(list)
	return list
}
