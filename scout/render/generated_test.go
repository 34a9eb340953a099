package render

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/scout"
)

// Many files that one program has written are one line; a few stay places as others are.
func TestGeneratedFilesAreAGroup(t *testing.T) {
	written := func(by string) []scout.Trait { return []scout.Trait{{Name: scout.TraitGenerated, Detail: by}} }
	a := &scout.Answer{
		Summary:    "Many.",
		Understood: scout.Understood{Change: scout.AddParameter},
		Pointers: []scout.Pointer{
			{Location: "call.go:7", In: "call", Certain: true, Depth: 1, Role: scout.RoleCall, Action: "pass the new argument"},
			{Location: "light_string.go:3", In: "name", Certain: true, Depth: 1, Role: scout.RoleCall, Action: "regenerate with stringer", Traits: written("stringer")},
		},
	}
	for i := range manyGenerated {
		for line := range 3 {
			a.Pointers = append(a.Pointers, scout.Pointer{
				Location: fmt.Sprintf("service/s%d/api.go:%d", i, 10+line), In: "New", Certain: true, Depth: 1, Role: scout.RoleCall,
				Action: "regenerate with gen-api", Traits: written("gen-api"),
			})
		}
	}
	want := `Many.

regenerate with stringer:
call.go:7 call: pass the new argument
light_string.go:3 name
15 places in 5 generated files such as service/s0/api.go:10: regenerate with gen-api
`
	if diff := cmp.Diff(want, Text(a)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	a.Pointers = a.Pointers[2:]
	if got, want := Text(a), "Many.\n\n15 places in 5 generated files such as service/s0/api.go:10: regenerate with gen-api\n"; got != want {
		t.Errorf("of generated files alone: %q", got)
	}
}
