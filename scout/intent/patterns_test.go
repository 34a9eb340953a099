package intent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A rule reads a kind of change from the words of a question, in which marks stand for code.
type rule struct {
	kind    string
	classes []Class // of symbols that it can be said of; nil: any
	words   *pattern
}

// rules are what a person writes down who has read the training questions: words for each kind, the narrowest first. They are the peer
// of the weights, and share with them what names a change outright and the comparison of signatures.
var rules = []rule{
	{"add_parameter", nil, matching(`§grown`)},
	{"return_error", nil, matching(`§failing`)},
	{"change_signature", nil, matching(`§resigned`)},
	{"return_error", callable, matching(`\b(propagat|bubbl|surfac)\w*|\b(return|report|yield|give|gain|get|hand|answer|come|signal|end)\w* (\S+ ){0,4}(errors?|failures?|err)\b|\b(errors?|failures?) (\S+ ){0,3}(result|return\w*|up|on|as well|too)\b|\b(can|could|may|might|will|able to|begins? to|starts? to|learns? to) (\S+ )?fail\b|\bfallible\b|\bfail\w* (\S+ ){0,6}(callers?|pass\w*|up)\b`)},
	{"change_behavior", nil, matching(`\b(tests?|suites?|specs?|ci|coverage|benchmarks?) ?\b|\b(rewrit\w*|rewrote|refactor\w*|reimplement\w*|rework\w*|behav\w*|internals?|inside|body|logic|optimi\w*|faster|algorithm|bug|broken|regress\w*|misbehav\w*)\b`)},
	{"rename", nil, matching(`\b(renam|rebapti|rechristen|retitl|umbenenn)\w*|\b(called|named|spell\w*|spelt|typo|christen\w*|identifier|misnomer|heißt|heißen)\b|\bnames?\b (\S+ ){0,3}§(name|code|symbol)|\b(new|different|other|another|better) name\b|§symbol §arrow §(name|code)$`)},
	{"add_variant", []Class{Enum}, matching(`\b(variants?|constants?|cases?|members?|values?|states?|add\w*|another|new|further|extra|more|additional|besides|next|gain\w*|extend\w*|gets?|one|too)\b|§plus`)},
	{"add_implementation", []Class{Interface}, matching(`\b(implement(ation|er|or|s|ing)?|implementations|kinds?|sort|subtypes?|subclass\w*|sibling|satisf\w*|another §symbol|new §symbol|further §symbol|more §symbol|(second|third|fourth|fifth) (§symbol|§name)|is an? §symbol)\b`)},
	{"add_method", []Class{Interface, Type}, matching(`\b(methods?|must|also|promis\w*|contract|requir\w*|demand\w*|offer\w*|provid\w*|add\w*|extend\w*|gain\w*|more|another|able|capab\w*|function|operation|ask\w*|need\w*)\b|§call|§plus`)},
	{"delete", nil, matching(`\b(remov|delet|drop|eliminat|ditch|retir|sunset|kill|scrap|axe|nuk|purg|eras|strip|vanish|disappear|abolish|obsolet|dissolv|discard)\w*|\b(gone|rid|without|loses?|lost|no longer exist\w*|goes away|go away|away|no more|not exist|cut)\b|\b(no|not be an?) §symbol\b`)},
	{"change_type", []Class{Field, Embedded, Constant, Variable, Type, Enum, Struct}, matching(`§type|\b(types?|retyp\w*|becom\w*|turn\w*|convert\w*|switch\w*|instead|pointer|slice|array|string|integer|nullable|optional|boxed|int|bool|float|chang\w*|replac\w*|migrat\w*|wider|widen\w*|rather)\b|§arrow`)},
	{"add_parameter", callable, matching(`\b(parameters?|param|paramter|args?|arguments?|inputs?|options?|ctx|context|knob|mandatory|compulsory|arity|operand)\b|\b(pass|hand|supply|supplied|specif|provid|give|gave|tell|told|say|need|requir|takes?|accept|expect|want|ask)\w*\b|§plus`)},
	{"change_signature", callable, matching(`\b(return\w*|results?|yield\w*|signatures?|type|types|instead|async|await|prototype|becom\w*|pointer|copy|answers?|rather)\b|§type`)},
}

// openQuestion begins as what asks about code and not about a change.
var openQuestion = matching(`^(how|why|explain\w*|describ\w*|overview|introduc\w*|show|tell|walk|summar\w*|purpose|document\w*|list|find|who|where|wie|warum|wofür|wozu|erklär\w*|give|is|are|in which|what (is|are|does|do|uses|calls|refers|happens in|creates|reads|writes|depends)|which \S+ (call|use|implement|read|write|depend|refer)\w*)\b`)

// changeWords are in questions about a change, however they begin.
var changeWords = matching(`\b(if|once|when|would|should|shall|will|must|add|remove|delete|drop|rename|change|becomes?|breaks?|gets?|adapt|edit|suppose|going|another|new|more|rather|instead|from now|has to|have to|needs? to|without|propagat\w*|fails?|affected|update)\b`)

// readByRules is a reader without weights: statements, comparison of signatures, and rules.
func readByRules(text string, s Subject) string {
	if kind, _, ok := stated(text, s); ok && inverse(kind) {
		return kind
	}
	said, _ := affirmed(text)
	if kind, _, ok := stated(said, s); ok {
		return kind
	}
	var list []string
	for _, t := range tokens(said, s) {
		list = append(list, t.word)
	}
	words := strings.Join(list, " ")
	if openQuestion.get().MatchString(words) && !changeWords.get().MatchString(words) {
		return "other"
	}
	for _, r := range rules {
		kind := meant(r.kind, s.Class)
		sensible := Sensible(s.Class)
		fits := r.classes == nil || slices.Contains(r.classes, s.Class)
		if fits && (sensible == nil || slices.Contains(sensible, kind)) && r.words.get().MatchString(words) {
			return kind
		}
	}
	return "other"
}

// devCases returns the questions of the bench's cases.
func devCases(t *testing.T) (all []Example) {
	kinds := map[string]string{
		"a": "add_parameter", "b": "add_method", "c": "remove_field", "d": "change_type", "e": "add_variant", "f": "return_error",
		"g": "add_implementation", "h": "change_behavior", "i": "rename", "j": "delete", "k": "change_signature",
	}
	classes := map[string]Class{"a": Function, "b": Interface, "c": Field, "d": Field, "e": Enum, "f": Function, "g": Interface, "h": Function, "i": Function, "j": Function, "k": Function}
	for _, name := range []string{"go.jsonl", "typescript.jsonl"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "cmd", "scoutbench", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var c struct{ Kind, Symbol, Question string }
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				t.Fatal(err)
			}
			all = append(all, Example{Text: c.Question, Kind: kinds[c.Kind], Subject: Subject{Name: c.Symbol, Class: classes[c.Kind]}})
		}
	}
	return all
}

// The weights stay as long as they read clearly more than rules do that take no file of numbers.
func TestWeightsAreWorthTheirRoom(t *testing.T) {
	for name, examples := range map[string][]Example{"kept apart": corpus(t, "heldout.txt"), "of the bench": devCases(t)} {
		var weights, plain float64
		for _, e := range examples {
			if Family(Read(e.Text, e.Subject).Kind) == Family(e.Kind) {
				weights++
			}
			if Family(readByRules(e.Text, e.Subject)) == Family(e.Kind) {
				plain++
			}
		}
		all := float64(len(examples))
		t.Logf("%.0f questions %s: %.3f by weights, %.3f by rules", all, name, weights/all, plain/all)
		if weights/all-plain/all < .01 {
			t.Errorf("questions %s: rules read as many as the weights: they need no weights", name)
		}
	}
}
