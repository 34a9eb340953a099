package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"tidepool/internal/recall/memory"
)

// things are what a task is about.
const things = `(?:one|task|pr|mr|change|commit|fix|feature|branch|ticket|issue|file|test|function|method|refactor\w*|migration|release|demo|run|case|bug|patch|step|` +
	`class|instance|example|loop|block|line|struct|script|query|prompt|exercise|experiment|spike|session|conversation|answer|question)`

var (
	allProjects    = pattern(`\b(?:in|across|for) (?:all|every|any)(?: of)?(?: my)? (?:projects?|repos?|repositories|codebases?)\b|\beverywhere i work\b`)
	politeQuestion = pattern(`(?i)(?:ok|okay|alright|got it|understood|please)\s*\?+$`)
	interrogative  = pattern(`^(?:(?:ok|so|and|but|well|hey|hi|also)[, ]+)*(?:why|how|what|where|who|which|should (?:we|i)|can|could|do (?:you|we|i|they)|does|did|is|are|was|were|will|would|` +
		`has|shall|may|isn't|aren't|don't (?:you|we)|doesn't|won't|wouldn't|couldn't)\b`)
	onlyOnce = pattern(`\b(?:this time|this once|for now|for the (?:moment|time being|rest of)|right now|just now|today|tonight|tomorrow|this (?:week|morning|afternoon|evening|round|sprint)|` +
		`just this|only this|just once|at the moment|temporarily|meanwhile|not yet|yet$|yet[,.]|(?:for|in|on|with|of) (?:this|that) (?:\w+ )?` + things +
		`|while you(?:'re| are) at it|when you(?:'re| are) done|next step|first step|as a quick|quick hack|one[- ]off)\b|(?:^|\s)here[.!]?$`)
	hypothetical = pattern(`\b(?:what if|suppose|supposing|imagine|let's say|hypothetically|would (?:be|have|it|that|we|you)|wouldn't|might|maybe|perhaps|i wonder|i guess|not sure|` +
		`wondering|for example|e\.g\.|used to|thought|pretend|in theory|could also|whether|i (?:was|am|'m) (?:told|thinking)|considering)\b|^if (?:we|you|i) (?:always|never|don't)\b|` +
		`\b(?:seems?|tends?|appears?|continues?|going|has|have|had|supposed|wants?|needs?|likely|expected) to (?:always|never)\b`)
	speaker = pattern(`^[A-Z][a-z]+(?: [A-Z][a-z]+)?: `)
	topic   = pattern(`^(?i:note|also|rule|rules|important|reminder|please|remember|preference|convention|style|tip|and|ps|btw|one|tests?|testing|code|coding|naming|git|go|python|typescript|` +
		`javascript|rust|commits?|docs|documentation|errors?|logging|security|sql|database|imports?|formatting|general|project|dependencies|comments?|api|ui|css|workflow|reviews?|ci|bonus|first|last)(?: \w+)?: `)
	task = pattern(`^(?:(?:please|now|then|also|and|ok|so)[, ]+)*(?:implement|write|create|build|add|make|design|generate|fix|refactor|change|update|give|show|find|check|explain|describe|draft|translate|` +
		`rewrite|convert|port|move|rename|remove|delete|replace|set|configure|test|debug|investigate|review|help|let|try|run|start|open|read|look|print|return)\b`)
	ownWords   = pattern(`\b(?:as )?i(?:'ve| have)? (?:already )?(?:said|told you|wrote|asked you|want you|want|think|need you)(?: to)?\b`)
	otherWords = pattern(`\b(?:says?|said|saying|told|tells?|according to|recommends?|recommended|suggests?|suggested|complains?|complained|warns?|warned|claims?|claimed|` +
		`states?|stated|reads|wrote|writes|insists?|insisted|wants?|thinks?|believes?|argues?|asks?|asked|requires?|required|advises?|mentions?|mentioned|shouts|prints?|` +
		`they|he|she|their|his|her|why|how|because)\b|\b(?:comment|message|docs|documentation|readme|article|book|tutorial|guide|rule|contract|spec)(?: (?:is|was|are))?(?: to| that)?:? ?$`)
)

// How much a person can type that is still instructions. A longer text is a document, whose rules are about its subject.
const (
	longTyped     = 3000 // bytes
	longSentences = 30
)

// FromPrompt returns the preferences that a prompt states, in the user's own words, at most five. A question is none, nor what
// holds only this time, what somebody else says, or what describes how a program behaves. One that may be meant for the task at hand
// has Twice set.
func FromPrompt(text string) []memory.Draft { return preferences(Typed(text)) }

func preferences(typed string) []memory.Draft {
	all := sentences(typed)
	long := len(typed) > longTyped || len(all) > longSentences
	var drafts []memory.Draft
	for _, s := range all {
		f := preference(s)
		if f == none || len(drafts) == maxDrafts {
			continue
		}
		drafts = append(drafts, memory.Draft{
			Scope: scopeOf(s.plain), Kind: memory.Preference, Trust: memory.Said, Gist: s.text, Content: s.text, Source: sourcePrompt,
			Twice: f == weak || f == firm && long,
		})
	}
	return drafts
}

// A force is how surely a sentence states a lasting preference.
type force uint8

const (
	none    force = iota
	weak          // it may be for the task at hand
	firm          // it is, unless it is part of a document
	certain       // it says so itself
)

// preference judges a sentence.
func preference(s sentence) force {
	if n := utf8.RuneCountInString(s.text); n > maxQuote || len(strings.Fields(s.plain)) < 3 || s.told {
		return none
	}
	at, f := trigger(s.plain)
	switch {
	case f == none, isSpoken(s.text), isQuestion(s.text, s.plain), isOnce(s.plain), isSupposed(s.plain), isAttributed(s.plain[:at]):
		return none
	case f == firm && orders(s.plain[:at]), orders(s.plain[:at]) && strings.Contains(s.plain[:at+1], ":"):
		return weak
	}
	return f
}

// isSpoken reports whether a line begins with the name of who says it, as in "Bob: always squash".
func isSpoken(text string) bool { return speaker().MatchString(text) && !topic().MatchString(text) }

// orders reports whether what stands before a rule gives a task, whose description the rule may be.
func orders(before string) bool { return task().MatchString(before) }

// trigger returns where in a sentence its strongest sign of a preference begins, and how strong that is.
func trigger(plain string) (at int, best force) {
	for _, sign := range []struct {
		words []string // without one of them find finds nothing; looking for them is a hundred times cheaper
		find  func(string) (int, force)
	}{
		{[]string{"from now on", "from here on", "going forward", "future", "as a ", "project", "repo", "codebase", "code base", "remember", "keep in mind"}, declared},
		{[]string{"always", "never", "only ever"}, alwaysNever},
		{[]string{"don't", "stop "}, dont},
		{[]string{"use ", "prefer", " want "}, instead},
		{[]string{"whenever", "every time", "each time", "any time", "anytime"}, habit},
	} {
		if !hasAny(plain, sign.words) {
			continue
		}
		if i, f := sign.find(plain); f > best {
			at, best = i, f
		}
	}
	return at, best
}

func hasAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// scopeOf returns ForUser for a sentence about all projects.
func scopeOf(plain string) memory.Scope {
	if allProjects().MatchString(plain) {
		return memory.ForUser
	}
	return memory.ForProject
}

// isQuestion reports whether a sentence asks. A request in the form of a question asks, too.
func isQuestion(text, plain string) bool {
	return strings.HasSuffix(strings.TrimRight(plain, `"') `), "?") ||
		strings.HasSuffix(strings.TrimSpace(text), "?") && !politeQuestion().MatchString(strings.TrimSpace(text)) ||
		interrogative().MatchString(plain) && !strings.Contains(plain, ", always ") && !strings.Contains(plain, ", never ")
}

// isOnce reports whether a sentence is about the task at hand.
func isOnce(plain string) bool {
	return onlyOnce().MatchString(plain)
}

// isSupposed reports whether a sentence only considers something.
func isSupposed(plain string) bool {
	return hypothetical().MatchString(plain)
}

// isAttributed reports whether what stands before a rule says that it is somebody else's.
func isAttributed(before string) bool {
	before = ownWords().ReplaceAllString(before, "")
	return otherWords().MatchString(before)
}
