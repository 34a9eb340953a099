package scout

import "testing"

func TestInferChange(t *testing.T) {
	for _, tt := range []struct {
		text string
		want ChangeKind
	}{
		{"What breaks if I add a required parameter to function a.F?", AddParameter},
		{"a.F should take one more argument; which callers change?", AddParameter},
		{"Suppose pkg.Load gets an additional context argument", AddParameter},
		{"remove the second argument of a.F", ChangeSignature},
		{"change the signature of a.F", ChangeSignature},
		{"what if a.F returns two results instead", ChangeSignature},
		{"a.F returns another value", ChangeSignature},
		{"Interface a.I gets a new method. Which implementations stop compiling?", AddMethod},
		{"extend a.I with nothing but add the methods Close and Flush", AddMethod},
		{"drop the embedded Mutex from a.T", RemoveField},
		{"what if a.T no longer embeds Mutex", RemoveField},
		{"which code stops compiling once the field a.T.F is deleted?", RemoveField},
		{"rename a.F to a.G", Rename},
		{"I change field a.T.n from int to int64", ChangeType},
		{"a.T.n becomes a pointer", ChangeType},
		{"change its type to uint8", ChangeType},
		{"its type changes", ChangeType},
		{"The field stays. It is deleted.", Delete},
		{"I add another constant to a.Level, next to DebugLevel", AddVariant},
		{"a new enum member in a.Kind", AddVariant},
		{"what breaks if I introduce a new message type?", AddImplementation},
		{"A new type will implement a.Node. Which type switches must learn about it?", AddImplementation},
		{"another kind of a.Command", AddImplementation},
		{"What if a.F returns an error that callers propagate?", ReturnError},
		{"a.F becomes fallible", ReturnError},
		{"delete a.F", Delete},
		{"can we get rid of a.F?", Delete},
		{"which tests notice if a.F misbehaves?", Other},
		{"is errors.Error used for add_parameter?", Other},
		{"", Other},
	} {
		if got := inferChange(tt.text); got != tt.want {
			t.Errorf("inferChange(%q) = %s, want %s", tt.text, got, tt.want)
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
