package fulltext

// baseOf returns the word of which another is a form, where no suffix says so; "" for all others. The two begin with the same letter,
// as a word and its stem do: a search for terms in a text relies on that.
func baseOf(form string) string {
	switch form {
	case "began", "begun":
		return "begin"
	case "bound":
		return "bind"
	case "broke", "broken":
		return "break"
	case "brought":
		return "bring"
	case "built":
		return "build"
	case "bought":
		return "buy"
	case "caught":
		return "catch"
	case "children":
		return "child"
	case "chose", "chosen":
		return "choose"
	case "came":
		return "come"
	case "criteria":
		return "criterion"
	case "data":
		return "datum"
	case "dealt":
		return "deal"
	case "dying":
		return "die"
	case "drew", "drawn":
		return "draw"
	case "drove", "driven":
		return "drive"
	case "eaten":
		return "eat"
	case "fell", "fallen":
		return "fall"
	case "fed":
		return "feed"
	case "felt":
		return "feel"
	case "found":
		return "find"
	case "flew", "flown":
		return "fly"
	case "feet":
		return "foot"
	case "forgot", "forgotten":
		return "forget"
	case "froze", "frozen":
		return "freeze"
	case "got", "gotten":
		return "get"
	case "gave", "given":
		return "give"
	case "goes", "gone":
		return "go"
	case "grew", "grown":
		return "grow"
	case "hung":
		return "hang"
	case "heard":
		return "hear"
	case "hid", "hidden":
		return "hide"
	case "held":
		return "hold"
	case "indices", "indexes":
		return "index"
	case "kept":
		return "keep"
	case "knew", "known":
		return "know"
	case "led":
		return "lead"
	case "leaves":
		return "leaf"
	case "left":
		return "leave"
	case "lent":
		return "lend"
	case "lost":
		return "lose"
	case "made":
		return "make"
	case "matrices":
		return "matrix"
	case "meant":
		return "mean"
	case "met":
		return "meet"
	case "people":
		return "person"
	case "paid":
		return "pay"
	case "regexes", "regexp", "regexps":
		return "regex"
	case "rode", "ridden":
		return "ride"
	case "rang", "rung":
		return "ring"
	case "rose", "risen":
		return "rise"
	case "ran":
		return "run"
	case "said":
		return "say"
	case "saw", "seen":
		return "see"
	case "sought":
		return "seek"
	case "sold":
		return "sell"
	case "sent":
		return "send"
	case "shook", "shaken":
		return "shake"
	case "shown":
		return "show"
	case "shrank", "shrunk":
		return "shrink"
	case "sank", "sunk":
		return "sink"
	case "slept":
		return "sleep"
	case "spoke", "spoken":
		return "speak"
	case "spent":
		return "spend"
	case "spun":
		return "spin"
	case "stood":
		return "stand"
	case "stole", "stolen":
		return "steal"
	case "stuck":
		return "stick"
	case "struck":
		return "strike"
	case "swapped", "swapping":
		return "swap"
	case "took", "taken":
		return "take"
	case "taught":
		return "teach"
	case "tore", "torn":
		return "tear"
	case "told":
		return "tell"
	case "thought":
		return "think"
	case "threw", "thrown":
		return "throw"
	case "understood":
		return "understand"
	case "vertices":
		return "vertex"
	case "woke", "woken":
		return "wake"
	case "wore", "worn":
		return "wear"
	case "won":
		return "win"
	case "wound":
		return "wind"
	case "wrote", "written":
		return "write"
	}
	return ""
}
