package intent

import "strings"

// editVerb matches verbs of changes.
const editVerb = `(?:add|remov|delet|drop|renam|chang|retyp|deprecat|mov|introduc|replac|convert|modif|alter|extend|insert|touch)(?:e|es|s|ed|d|ing|ping|ping|y|ying|ied|ies)?\b`

var (
	// denial matches a clause that says what is not to be done: "don't remove it,", "instead of renaming it".
	denial = matching(`(?i)\b(?:(?:do|does|did|should|shall|must|will|would|can|could|is|are)(?: not|n['’]t)|never|won['’]t|can['’]t|not|without|instead of|rather than)` +
		`(?: (?:really|just|simply|only|even|want|wants|wanted|going|planning|plan|intend|like|need|have|to|be|been|being|we|i|you|it|actually)){0,4} ` + editVerb + `[^.,;:!?]*?(?:,? but\b|,? only\b|,? just\b|\b(?:we|I|let)\b|$|[.,;:!?])`)
	// edits matches words that say that something is to be done.
	edits = matching(`(?i)\b` + editVerb + `|\b(?:becom|turn|mak|get|gain|los|return|tak)\w*\b`)
	// asksOnly matches a denial in a question, which is no denial of the change.
	asksOnly = matching(`(?i)\b(?:why|what|who|which|where|how|does|do|did)\b[^.,;:!?]{0,40}$`)
)

// affirmed returns a text without the clauses that say what is not to be done. denied reports that there were some, and that
// no verb is left that says what is.
func affirmed(text string) (rest string, denied bool) {
	masked := text
	cut := false
	for from := 0; from < len(masked); {
		at := denial.get().FindStringIndex(masked[from:])
		if at == nil {
			break
		}
		start, end := from+at[0], from+at[1]
		if asksOnly.get().MatchString(masked[:start]) {
			from = end
			continue
		}
		masked, cut = masked[:start]+strings.Repeat(" ", end-start)+masked[end:], true
		from = end
	}
	if !cut {
		return text, false
	}
	return strings.TrimSpace(masked), !edits.get().MatchString(masked)
}
