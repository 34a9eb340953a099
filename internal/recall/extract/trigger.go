package extract

import (
	"regexp"
	"strings"
)

// action is what may stand between an opening and what is to be done.
const action = `(?:please |always |never |only |just |you (?:should |must |can )?|we (?:should |must |can |will |'ll )?|i want |i'd like |let's |all |every |each |no |don't )*`

var (
	openings = []func() *regexp.Regexp{
		pattern(`(?:^|[,;:]\s|\b(?:and|but|so|ok|okay|please|yes|no)[,:]?\s)(?:from now on|from here on(?: out)?|going forward|in (?:the )?future|as a (?:general )?rule|as a convention),?:? ` + action + `(\w[\w'-]*)`),
		pattern(`(?:^|[,;:]\s|\b(?:and|but|so|ok|okay|please|note|yes|no)[,:]?\s)(?:in|for|across) (?:this|our|the|all(?: of)? my|all|every|any|my) (?:\w+ )?(?:project|repo|repository|codebase|code base|monorepo|projects|repos|repositories)[,:]? ` + action + `(\w[\w'-]*)`),
	}
	choices = []func() *regexp.Regexp{
		pattern(lead + `((?:only )?use ([^,;]{1,60}?),? (?:and )?(?:not|never) (.*))`),
		pattern(lead + `((?:only )?use ([^,;]{1,60}?),? (?:instead of|rather than) (.*))`),
		pattern(lead + `((?:strongly )?prefer ([^,;]{1,80}?),? (?:over|to|rather than|instead of|and not) (.*))`),
		pattern(`\b(i (?:strongly |really |generally |usually |always )?prefer ([^,;]{1,80})(.*))`),
		pattern(`\b(i (?:always|never|only|don't ever) want ([^,;]{1,80})(.*))`),
		pattern(`\b(we (?:only |strictly )?use ([^,;]{1,60}?),? (?:and not|not|never|instead of|rather than) (.*))`),
	}
	narrated      = pattern(`(?:^|[\s,;])(?:i|i'm|i'll|i've|i'd|we'll|they|they're|he|she|it|it's|you're|you|hope|hoping|me|us)(?:$|[\s,;])`) // somebody does it, and is not told to
	pronoun       = pattern(`\b(?:it|them|they)\b`)                                                                                           // of what the rule itself names, as in "never catch an error without logging it"
	joined        = pattern(`\b(?:and|but|so|then)\b`)
	ours          = pattern(`^(?:we|our|always|never|don't|only|use|run|no|all)\b|\b(?:our|we|always|never|must|don't)\b`)
	closing       = pattern(`^(?:please |we |let's |also |and |but |ok |no )*(\w[\w'-]*)\b.*\b(?:from now on|going forward|in (?:the )?future|in all (?:of )?my (?:projects|repos)|in every (?:project|repo))[.!]?$`)
	reminder      = pattern(`^(?:(?:please|and|also|but|ok|okay|so|btw|just|hey)[,:]? )*(?:remember|keep in mind)(?: that|:|,) ?(?:this |that )?(\w+)`)
	reminderTo    = pattern(`^(?:(?:please|and|also|but|ok|okay|so|btw|just)[,:]? )*(?:always )?remember to (\w+)`)
	recurring     = pattern(`\b(?:always|every|each|whenever|before (?:every|each|any)|after (?:every|each|any))\b`)
	anyAction     = pattern(`\b(?:all|every|each|no|don't|never|always)\s$`)
	alwaysCommand = pattern(lead + `((?:always|never)(?: ever)?,? (\w[\w'-]*))`)
	alwaysWe      = pattern(`\b(?:we|i|you should|you must|one should|everyone should|tests should|commits should)(?: (?:all|both|really|strictly))? ((?:always|never|only ever) (\w[\w'-]*))`)
	dontCommand   = pattern(lead + `(don't (?:you )?(ever )?(?:just |simply )?(\w[\w'-]*)(.*))`)
	lastingObject = pattern(`\b(?:files? (?:under|in)|anything (?:under|in)|everything|generated|directly|by hand|manually|without|unless|main|master|force|vendored|lock ?files?|whole|entire)\b`)
	dontWe        = pattern(`\bwe (?:really )?(don't (?:ever )?(\w[\w'-]*))`)
	stopCommand   = pattern(lead + `(stop (\w+ing)\b(.*))`)
	indefinite    = pattern(`^(?:an?|the|if|that|you|it)\b|\b\d+\b`)
	placed        = pattern(`\b(?:in|for|on|at|from|while) (?:the|my|our|your|a|i)\b`) // in one place
	condition     = pattern(`^(?:if|when|since|because|once|after|although|as)\b`)     // "if it expires we never refresh it" describes
	unwanted      = pattern(`\b(i don't want (?:you )?to (?:(ever) )?(\w[\w'-]*))`)
	whenever      = pattern(`^(?:(?:please|and|also|but|ok|okay|so)[,:]? )*(?:whenever|every time|each time|any time|anytime) (?:you|we) [^,]{3,120}, (?:please |then |you (?:should|must|need to) |we )?(?:always |also |first )*(\w[\w'-]*)`)
)

// lead is what may stand before an imperative: nothing, a comma, or words that open one.
const lead = `(?:^|[,;:(]\s?|\s-+\s|\.\.\.\s?|\b(?:and|but|so|then|also|please|just|ok|okay|btw|yes|yeah|yep|nope|no|plus|again|hey|remember to|make sure to|make sure you|be sure to|want you to|` +
	`need you to|like you to|you to|sure to|try to|you should|we should|you have to|you need to|we need to|we have to|i want|i prefer|kindly|note|reminder|important|rule|instead)[,:]?\s)`

// declared finds sentences that say themselves that they are to last: from now on, in this project we, remember that.
func declared(plain string) (int, force) {
	for _, opening := range openings {
		if m := opening().FindStringSubmatchIndex(plain); m != nil {
			if acts(plain[m[0]:m[2]], plain[m[2]:m[3]]) {
				return m[0], certain
			}
		}
	}
	if m := closing().FindStringSubmatchIndex(plain); m != nil && !narrated().MatchString(plain) {
		if acts("", plain[m[2]:m[3]]) || plain[m[2]:m[3]] == "always" || plain[m[2]:m[3]] == "never" || plain[m[2]:m[3]] == "don't" {
			return m[0], certain
		}
	}
	if m := reminder().FindStringSubmatchIndex(plain); m != nil && (!strings.Contains(plain[:m[2]], ",") || ours().MatchString(plain[m[2]:])) {
		return m[0], certain
	}
	if m := reminderTo().FindStringSubmatchIndex(plain); m != nil {
		if recurring().MatchString(plain) {
			return m[0], certain
		}
		return m[0], weak
	}
	return 0, none
}

// acts reports whether a word that follows an opening is an action, and not what something is or does: "we use", not "we have", "the
// tests are".
func acts(opening, word string) bool {
	if anyAction().MatchString(opening) {
		return !isStop(word) || strings.HasSuffix(opening, "no ") || strings.HasSuffix(opening, "all ")
	}
	if strings.Contains(opening, " we ") || strings.HasSuffix(opening, "we ") {
		return isBase(word) && !isState(word)
	}
	return isBase(word) && !isState(word) && !isNoun(word)
}

// alwaysNever finds always and never where they command, not where they describe.
func alwaysNever(plain string) (int, force) {
	for _, m := range alwaysCommand().FindAllStringSubmatchIndex(plain, -1) {
		word := plain[m[4]:m[5]]
		if !isBase(word) || isIdiom(plain[m[2]:]) || joined().MatchString(plain[m[0]:m[2]]) && narrated().MatchString(plain[:m[0]+1]) {
			continue
		}
		if isDeictic(pronoun().ReplaceAllString(plain[m[5]:], "")) && !strings.Contains(plain, " every ") && !strings.Contains(plain, " when") {
			return m[2], weak
		}
		return m[2], firm
	}
	for _, m := range alwaysWe().FindAllStringSubmatchIndex(plain, -1) {
		if word := plain[m[4]:m[5]]; isBase(word) && !isState(word) && !isSubclause(plain[:m[0]]) && !condition().MatchString(plain) && !isIdiom(plain[m[2]:]) {
			if strings.HasPrefix(plain[m[0]:], "i ") && !among(" use prefer want write run ", word) { // what somebody does is not always what they ask for
				return m[2], weak
			}
			return m[2], firm
		}
	}
	return 0, none
}

// dont finds prohibitions. One with a definite object is usually about the task at hand.
func dont(plain string) (int, force) {
	for _, m := range dontCommand().FindAllStringSubmatchIndex(plain, -1) {
		verb, rest := plain[m[6]:m[7]], plain[m[8]:m[9]]
		switch {
		case !isBase(verb), isIdle(verb):
			continue
		case m[4] >= 0:
			return m[2], firm
		case isDeictic(rest), endsSoon(rest):
			return m[2], weak
		case isTaskVerb(verb) && !lastingObject().MatchString(rest):
			return m[2], weak
		}
		return m[2], firm
	}
	for _, m := range dontWe().FindAllStringSubmatchIndex(plain, -1) {
		if word := plain[m[4]:m[5]]; isBase(word) && !isState(word) && !isIdle(word) && !isSubclause(plain[:m[0]]) {
			if isDeictic(plain[m[5]:]) {
				return m[2], weak
			}
			return m[2], firm
		}
	}
	if m := unwanted().FindStringSubmatchIndex(plain); m != nil && isBase(plain[m[6]:m[7]]) {
		if m[4] >= 0 {
			return m[2], firm
		}
		return m[2], weak
	}
	if m := stopCommand().FindStringSubmatchIndex(plain); m != nil && !isDeictic(plain[m[6]:m[7]]) {
		switch plain[m[4]:m[5]] {
		case "adding", "using", "writing", "creating", "putting", "committing", "explaining", "summarizing", "summarising", "mocking", "apologizing",
			"apologising", "asking", "generating", "wrapping", "including", "inventing", "guessing", "repeating", "rewriting", "reformatting":
			return m[2], firm
		}
	}
	return 0, none
}

// instead finds use X not Y, and prefer X over Y.
func instead(plain string) (int, force) {
	for _, choice := range choices {
		m := choice().FindStringSubmatchIndex(plain)
		if m == nil {
			continue
		}
		chosen, other := plain[m[4]:m[5]], plain[m[6]:m[7]]
		if placed().MatchString(other) || isDeictic(" "+chosen) || isDeictic(" "+other) || indefinite().MatchString(chosen) {
			return m[2], weak
		}
		return m[2], firm
	}
	return 0, none
}

// habit finds whenever and every time with a command behind them.
func habit(plain string) (int, force) {
	m := whenever().FindStringSubmatchIndex(plain)
	if m != nil && isBase(plain[m[2]:m[3]]) && !isState(plain[m[2]:m[3]]) {
		return m[0], firm
	}
	return 0, none
}
