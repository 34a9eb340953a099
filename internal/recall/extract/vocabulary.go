package extract

import (
	"strings"
)

var (
	deixis = pattern(`\b(?:this|that|it|these|those|them|here|there|anything else|anymore|any more|too|the (?:\w+ )?(?:function|file|test|method|class|branch|pr|bug|issue|error|change|changes|code|` +
		`variable|loop|button|page|server|script|one|other|old|new|existing|current|above|below|rest|first|second|last|next|fix|patch|output|answer|plan|api|signature|name|names|logic|` +
		`endpoint|handler|query|table|column|field|flag|parser|module|component|struct|type|interface|struct|migration|config|line|lines|part|section|same|whole thing))\b`)
	noDeixis       = pattern(`\b(?:in|for|of) this (?:project|repo|repository|codebase|code base)\b|\bso that\b|\bthat (?:is|are|has|have|can|need|needs|use|uses|do|does|don't|change|changes|touch|touches)\b|\bin here\b`)
	subordinate    = pattern(`\b(?:because|since|if|when|where|why|how|that|what|which|who|until|after|before|although|though|unless|whether|or|than|as)\s*$`)
	ownSubordinate = pattern(`\b(?:remember|note|mind|is|convention|rule) that\s*$`)
	idiom          = pattern(`^(?:never|always)(?: ever)? (?:mind|fear|say never|know|look back|change a running|better|late|say|ending|hurts|wonder|wanted|love|loved|enjoy|give up|quit|lose|let (?:us|you|me|him|her)|shy|stop|forget|hesitate|take breaks|catch up|have (?:my|your|a good))\b`)
	endOfBan       = pattern(`\b(?:yet|until|till|before (?:i|we|you)|now|unless i|for me|again|any further|any longer|just)\b`)
)

// among reports whether a word is one of a list with blanks around each.
func among(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// isBase reports whether a word can be a verb in its base form: it is no function word, no past, no third person, no adverb.
func isBase(word string) bool {
	switch {
	case isStop(word), len(word) < 2:
		return false
	case strings.HasSuffix(word, "ed"):
		return among(" need feed embed seed exceed proceed shed ", word)
	case strings.HasSuffix(word, "ing"):
		return among(" bring ping string ", word)
	case strings.HasSuffix(word, "ly"):
		return among(" apply rely reply supply multiply ", word)
	case strings.HasSuffix(word, "s"):
		return strings.HasSuffix(word, "ss") || among(" focus canvas alias bias ", word)
	case strings.HasSuffix(word, "'s"), strings.HasSuffix(word, "n't"), strings.HasSuffix(word, "'re"), strings.HasSuffix(word, "'ve"), strings.HasSuffix(word, "'m"),
		strings.HasSuffix(word, "'ll"), strings.HasSuffix(word, "'d"):
		return false
	}
	return true
}

// isStop reports whether a word is none that a command can begin with.
func isStop(word string) bool {
	return among(` a an the this that these those my your his her its our their it he she they we you i me us them mind again here there in on at `+
		`with without from to for by of into than as if when while because since but and or not no nor so too very more most less least enough `+
		`true false nil null none empty zero one two three ok okay fine good bad same right wrong red green blue available possible impossible necessary `+
		`up down out off over under back sure happy welcome fun great nice glad awesome cool lovely beautiful interesting undefined void first last next only just also even still ever never always been was were is are am be `+
		`had has did does done made came went took found knew gave left felt kept sent wrote broke saw seen got gotten ran thought said told heard lost built `+
		`began begun became chose fell flew forgot froze grew held hid hit hung led meant met paid rose sold shook slept spoke spent stood stole struck stuck `+
		`swore taught threw understood woke won wore should would could can may might must will shall where why how what who which whether `+
		`visible invisible unique stable flaky slow fast late early worth free full safe unsafe optional required valid invalid correct incorrect ready busy `+
		`between during within about against around through something anything nothing everything someone anyone everyone better worse `, word)
}

// isState reports whether a verb says what is or happens, not what somebody does on purpose.
func isState(word string) bool {
	return among(` have get see hit end lose fail forget wait crash hang seem appear need know think understand like love hate hope wish believe remember `+
		`find notice experience want agree mean exist happen receive suffer struggle wonder worry care feel expect live work have be become fall run into `+
		`stay stuck stumble deal bother reach succeed pass manage finish do say talk hear look trust `, word) && word != "run" && word != "into"
}

// isNoun reports whether a word opens a statement about something: "in this project authentication is done by …".
func isNoun(word string) bool {
	return strings.HasSuffix(word, "tion") || strings.HasSuffix(word, "ment") || strings.HasSuffix(word, "ness") && word != "harness" || among(` there tests people users `, word)
}

// isIdle reports whether don't and this verb prohibit nothing that lasts.
func isIdle(word string) bool {
	return among(` worry bother forget know think see understand want need have mind get care be feel like believe remember hesitate panic give stop let `+
		`look wait expect recall really mean agree say tell quite trust hold laugh do seem exist appear work matter go come rush sweat overthink quit miss limit overwork wanna gonna hang appreciate start continue stress `, word)
}

// isTaskVerb reports whether a prohibition with this verb is usually about the task at hand.
func isTaskVerb(word string) bool {
	return among(` edit modify touch change rename delete remove create install run push commit merge deploy move refactor implement fix update upgrade revert reset close open `+
		`restart kill break stash send publish write make call switch try read load replace drop show list print return `, word)
}

// isDeictic reports whether a text points at something that only the conversation knows.
func isDeictic(text string) bool {
	return deixis().MatchString(
		noDeixis().ReplaceAllString(text, ""))
}

// isSubclause reports whether what stands before a statement makes it a part of another: a reason, a condition, a report.
func isSubclause(before string) bool {
	return subordinate().MatchString(before) &&
		!ownSubordinate().MatchString(before)
}

// isIdiom reports whether always or never and a verb say something else than they mean.
func isIdiom(phrase string) bool {
	return idiom().MatchString(phrase)
}

// endsSoon reports whether a prohibition ends as soon as something has happened.
func endsSoon(rest string) bool {
	return endOfBan().MatchString(rest)
}
