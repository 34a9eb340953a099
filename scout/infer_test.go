package scout

import (
	"strings"
	"testing"

	"tidepool/scout/intent"
)

func TestChangeOf(t *testing.T) {
	method := subject{Name: "Loader.Load", Kind: "method", Text: "func (l *Loader) Load(name string) *Config {"}
	field := subject{Name: "Loader.timeout", Kind: "field", Text: "timeout int // seconds"}
	for _, tt := range []struct {
		text    string
		subject subject
		want    Change
	}{
		{"What breaks if Load takes a context, as its first argument?", method, Change{Kind: AddParameter, Terms: Terms{Position: 1}}},
		{"Load returns an error that callers propagate, two levels up", method, Change{Kind: ReturnError, Terms: Terms{Levels: 2}}},
		{"which tests notice if Loader.Load misbehaves?", method, Change{Kind: ChangeBehavior}},
		{"how does Load work?", method, Change{Kind: Other, Terms: Terms{Direction: Uses}}},
		{"timeout goes away", field, Change{Kind: RemoveField}},
		{"I make Loader.timeout a time.Duration", field, Change{Kind: ChangeType, Terms: Terms{From: "int", To: "time.Duration"}}},
		{"add a variant to the enum Loader.timeout", field, Change{Kind: AddVariant}},
		{"", subject{}, Change{Kind: Other}},
	} {
		if got := changeOf(intent.Read(tt.text, tt.subject.class())); got != tt.want {
			t.Errorf("%q is read as %+v, want %+v", tt.text, got, tt.want)
		}
	}
}

func TestAnUnsureReadingSaysSo(t *testing.T) {
	read := func(text string) Understood {
		q, u, err := Query{Text: text, Symbols: []string{"geo.Shape"}}.understand()
		if err != nil {
			t.Fatal(err)
		}
		w := &walk{query: q, understood: u, roots: []Node{{Name: "Shape", Kind: "interface", Path: "geo/shape.go", Line: 3, Text: "type Shape interface {"}}}
		w.read()
		return w.understood
	}
	if u := read("What breaks if I add a method to geo.Shape?"); u.Change != AddMethod || u.Doubt != "" || len(u.Because) == 0 {
		t.Errorf("%+v", u)
	}
	if u := read("more for geo.Shape"); u.Change == Other || !strings.Contains(u.Doubt, "may also mean add_") {
		t.Errorf("%+v", u)
	}
}

// Every kind that words can be read as is one of ours.
func TestEveryReadingIsAChange(t *testing.T) {
	for _, class := range []intent.Class{intent.Function, intent.Interface, intent.Struct, intent.Field, intent.Enum, intent.Type, intent.Variable} {
		for _, kind := range intent.Sensible(class) {
			if _, err := ParseChangeKind(kind); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestEveryChangeHasARuleForWhatItIsAbout(t *testing.T) {
	for _, kind := range ChangeKinds() {
		if rules[kind] == nil {
			t.Errorf("%s has no rules", kind)
		}
		for _, role := range append(Roles(), "unheard of") {
			r := ruleFor(kind, role)
			if r.relevance < 1 || r.relevance > 5 || r.risk < 1 || r.risk > 5 {
				t.Errorf("%s, %s: %+v is not 1 to 5", kind, role, r)
			}
		}
		if r := ruleFor(kind, RoleDefinition); !r.travels || r.relevance != 5 {
			t.Errorf("%s: the definition has rule %+v", kind, r)
		}
	}
}
