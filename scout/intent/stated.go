package intent

import (
	"slices"
	"strings"
)

// A statement is words that name a change outright.
type statement struct {
	kind    string
	classes []Class // of symbols that it can be said of; nil: any
	words   *pattern
	unless  *pattern // words that mean something else; nil: none do
}

// Parts of the patterns below.
const (
	wordLess    = `(?:remov|delet|drop|ditch|eliminat|strip|omit|discard|los|scrap)\w*|cuts?(?: out)?|(?:get|gets|getting|got|be|is) rid of|(?:does?|do|doing|go|goes) without`
	wordMore    = `(?:add|insert|introduc|append|prepend|gain|includ)\w*|new|another|extra|additional|further|one more`
	wordBetween = `(?: (?:the|its|that|this|an?|one|all|[§\w.*` + "`" + `'"\[\]{}]+)){0,3}? `
	wordFormal  = `(?:parameter|param|argument|arg|input|flag)s?`
	wordResult  = `(?:results?|return (?:values?|types?)|returned (?:values?|errors?)|error (?:result|return)s?|error value)`
	wordNoMore  = `(?:any ?more|any longer|from now on|in (?:the )?future)`
	wordChange  = `(?:chang|retyp|turn|convert|mak|switch|alter|widen|narrow)\w*`
	wordPackage = `(?:packages?|pkg|modules?|files?|director(?:y|ies)|folders?|namespaces?)`
)

// callable symbols have parameters; of others that hold functions the type changes.
var callable = []Class{Function, Method, InterfaceMethod, Unknown}

// defaulted symbols have a value, or a parameter that has one.
var defaulted = []Class{Constant, Variable, Field, Unknown, Function, Method}

// alias matches what asks to make a type another name of one.
var alias = matching(`(?i)\b(an?|type|into|an? type) alias (for|of|to)\b|\b(mak|turn|convert|becom)\w*\b[^.?!]{0,30}\balias\b`)

// statements are tried in order. They are read, never written.
var statements = []statement{
	{"deprecate", nil,
		matching(`(?i)\bdeprecat(e|es|ing|ion of)\b|\bdeprecat\w+ (notice|comment|mark\w*|warning|tag|note)\b|\b(mark|flag|declar|annotat|becom)\w*\b[^.?!]{0,60}\b(deprecated|obsolete)\b|§symbol (is|gets|will be|should be|shall be) (marked |declared )?deprecated\b`),
		matching(`(?i)\b(` + wordLess + `|renam\w*|replac\w*)\b`)},
	{"change_receiver", []Class{Method, Unknown},
		matching(`(?i)\b(value|pointer) receivers?\b|\breceivers?\b[^.?!]{0,40}\b(value|pointer|copy)\b`), nil},
	{"rename_parameter", callable,
		matching(`(?i)\brenam\w* §symbol ?['’]?s \S+ (to|into|as)\b|\brenam\w*` + wordBetween + wordFormal + `\b|\b` + wordFormal + ` [^.?!,]{0,40}\b(be|being|is|are) (renamed|called|named)\b|\b` + wordFormal + ` names? of\b`),
		matching(`(?i)\b(` + wordMore + `)\b`)},
	{"reorder_parameters", callable,
		matching(`(?i)\b(re-?order|swap|flip|exchang|permut|rotat|re-?arrang|transpos)\w*\b[^.?!]{0,40}\b(` + wordFormal + `|order)\b|\border of (the |its )?` + wordFormal +
			`\b|\b(swap|flip|exchang)\w* (the )?\S+ and \S+ (in|of) §symbol|\b(mov|put)\w* (the |its )?\S+ (` + wordFormal + ` )?(first|last|to the (front|end|beginning))\b`),
		matching(`(?i)\b(` + wordMore + `|missing|supply|hand)\b|§symbol to\b`)},
	{"remove_result", callable,
		matching(`(?i)\b(` + wordLess + `)` + wordBetween + wordResult + `\b|\b(no longer|not|never)\b( have to| need to)? (return|give back|yield)s?\b[^.?!]{0,30}\b` + wordNoMore + `\b|\b(no longer|stops?|stopp?ed) (return|returns|returning|yields?|yielding) (an? |the |its )?(errors?|results?|values?|anything|second|last|first|bool\w*|int\w*|string|§type)\b|\b(return|give back|yield)(s|ed)? (nothing|no (errors?|results?|values?|bool\w*|int\w*|string|§type))\b`),
		matching(`(?i)\breturn\w* [^.?!,]{0,40}\b(for|when|unless|in case|if|on|where)\b`)},
	{"remove_parameter", callable,
		matching(`(?i)\b(` + wordLess + `)` + wordBetween + wordFormal + `\b|§symbol( (should|must|shall|will|would|does|need|do|can|could))? (not|no longer|never)( (have to|need to))? (take|accept|need|expect|want|require|get|receive)s?\b[^.?!]{0,40}\b(` + wordFormal + `|§type|` + wordNoMore + `|\pL[\w.]*\.[A-Z]\w*)|§symbol no longer (takes|accepts|needs|expects|wants|requires|receives)\b|§symbol( (should|must|shall|will|would))? (take|accept|need|expect|want|require|receive)s? no (§type|` + wordFormal + `|[^.?!]{0,40}\b` + wordNoMore + `)\b`),
		matching(`(?i)\b(` + wordResult + `)\b`)},
	{"make_variadic", callable,
		matching(`(?i)\bvariadic\b|\bany number of (arguments|values|strings|\w+s)\b`),
		matching(`(?i)\b(` + wordMore + `|options?)\b`)},
	{"make_generic", []Class{Function, Unknown, Struct, Type, Interface},
		matching(`(?i)\b(mak|turn|becom|convert)\w*\b[^.?!]{0,30}\bgeneric\b|§symbol (is|be|should be|shall be|will be)( made)? generic\b|\btype param\w*|\bgeneri[fc]i[sz]?e\w*`), nil},
	{"retype_parameter", callable,
		matching(`(?i)§symbol( (should|shall|will|must|would|could))? (accept|take|expect|want)s? [^?!,]{1,40}\b(instead of|rather than|in place of)\b|\b` + wordChange + wordBetween + wordFormal + ` [^.?!]{0,40}\b(to|into|an?|as|from)\b|\btypes? of` + wordBetween + wordFormal + `\b|\b` + wordFormal + ` types?\b|\b` + wordFormal + ` (should|shall|will|must|is to|becomes?)\b[^.?!]{0,20}\b(be|become|an?|§type)\b`),
		matching(`(?i)\b(` + wordMore + `|variadic|optional|default|order|mandatory|required|type[ -]check\w*|(one|two|three|four|five|\d) instead)\b`)},
	{"change_type", []Class{Type, Enum, Struct, Unknown}, alias, nil},
	{"add_field", []Class{Struct, Unknown},
		matching(`(?i)\b(` + wordMore + `)\b[^.?!,]{0,30}\bfields?\b|§symbol (gets?|gains?|receives?|needs?|has|have) (an?|one|another)( new| additional| extra)? ([\w*.]+ )?field\b`),
		matching(`(?i)\b(` + wordLess + `|enum|constants?|variants?|` + wordFormal + `)\b`)},
	{"add_method", []Class{Struct},
		matching(`(?i)\b(` + wordMore + `)\b[^.?!,]{0,30}\bmethods?\b|§symbol (gets?|gains?|receives?|needs?) (an?|one|another)( new| additional| extra)? ([\w*.]+ )?method\b`),
		matching(`(?i)\b(` + wordLess + `|embed\w*)\b`)},
	{"change_value", defaulted,
		matching(`(?i)\b(` + wordLess + `) (the |its |any )?defaults?( value)? (of|for|from)\b|\b(chang|set|switch|flip|alter|adjust|rais|lower|bump|turn|invert)\w*\b[^.?!]{0,30}\b(default|initial)( value)?s?\b|\bdefaults?( value)? (of|for) §symbol\b[^.?!]{0,30}\b(to|becomes?|be|is)\b|\bdefault §symbol to\b|§symbol (should |shall |will |must |would )?defaults? to\b|\b(chang|alter|adjust)\w* the value of §symbol\b|\b(set|setting) §symbol to\b|\b(rais|lower|increas|decreas|bump|doubl|halv)\w* §symbol (from|to|by)\b`),
		matching(`(?i)\b(types?|default (branch|case|clause|section)|` + wordFormal + `|` + wordMore + `|sets|u?int\d*|float\d*|string|bool|byte)\b`)},
	{"move", nil,
		matching(`(?i)\b(mov|relocat|transfer)\w* §symbol\b[^.?!]{0,40}\bto\b[^.?!]{0,40}(\b` + wordPackage + `\b|/\w)|§symbol\b (moves|is moved|is relocated|moved|gets moved|should (move|live)|shall (move|live)|will (move|live))\b[^.?!]{0,40}\b` + wordPackage + `\b|\b(mov|relocat|extract)\w* §symbol (in)?to [\w.-]+/[\w./-]+`), nil},
}

// stated finds the change that words name outright and that can be made to such a symbol, and the words that do.
func stated(text string, s Subject) (kind, words string, ok bool) {
	masked := negated.get().ReplaceAllString(markedOnly(text, s.Name), " not")
	for _, st := range statements {
		if st.classes != nil && !slices.Contains(st.classes, s.Class) || st.unless != nil && st.unless.get().MatchString(masked) {
			continue
		}
		if at := st.words.get().FindString(masked); at != "" {
			return st.kind, strings.TrimSpace(strings.ReplaceAll(at, markSymbol, s.Name)), true
		}
	}
	return "", "", false
}

// Family returns the kind that the weights know for a kind that only words name outright.
func Family(kind string) string {
	switch kind {
	case "remove_parameter", "retype_parameter", "reorder_parameters", "rename_parameter", "make_variadic", "remove_result",
		"change_receiver", "make_generic":
		return "change_signature"
	case "deprecate":
		return "other"
	case "move": // what spells the name is to be edited
		return "rename"
	case "change_value", "add_field":
		return "change_behavior"
	}
	return kind
}
