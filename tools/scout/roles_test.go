package scout

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/tools/internal/toolstest"
)

var toldLine = regexp.MustCompile(`(?m)^\S+:\d+: ([A-Za-z -]+?) in .*?(?: <([^>]*)>)?( \[test\])?(?: \[last\])?$`)

// What is said to be told of a language is what its answers tell, neither more nor less.
func TestRolesAreReported(t *testing.T) {
	for id, archives := range map[string][]string{
		"go": {"golang", "rolesgo"}, "python": {"python", "rolespython"}, "typescript": {"typescript", "rolestypescript"}, "c": {"clang", "rolesclang"},
	} {
		told := rolesIn(none(), id)
		// The walk itself adds definitions; what a declaration uses has tests of its own; only a check finds conversions
		// of TypeScript.
		roles := map[scout.Role]bool{scout.RoleDefinition: true}
		for _, role := range []scout.Role{scout.RoleUsed, scout.RoleConversion} {
			roles[role] = slices.Contains(told.Roles, role) && (role == scout.RoleUsed || id == "typescript")
		}
		traits := make(map[scout.TraitName]bool)
		for _, name := range archives {
			answers, err := os.ReadFile(toolstest.Testdata(name + ".answers.txtar"))
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range toldLine.FindAllStringSubmatch(string(answers), -1) {
				roles[scout.Role(found[1])] = true
				for text := range strings.SplitSeq(found[2], "; ") {
					name, _, _ := strings.Cut(text, ": ")
					traits[scout.TraitName(name)] = true
				}
				traits[scout.TraitTest] = traits[scout.TraitTest] || found[3] != ""
			}
		}
		for _, role := range scout.Roles() {
			if says := slices.Contains(told.Roles, role); says != roles[role] {
				t.Errorf("%s, %s: is said to be told: %t, is told: %t", id, role, says, roles[role])
			}
		}
		for _, name := range scout.TraitNames() {
			if says := slices.Contains(told.Traits, name); says != traits[name] {
				t.Errorf("%s, %s: is said to be told: %t, is told: %t", id, name, says, traits[name])
			}
		}
	}
}

func TestRolesOfAnAnswer(t *testing.T) {
	a := &scout.Answer{Symbols: []scout.Symbol{
		{Walked: 2, Found: []scout.Candidate{{Location: "a.go:3"}, {Location: "b.go:1"}, {Location: "c.py:1"}}},
		{Walked: 1, Found: []scout.Candidate{{Location: "d.rs:3"}}},
	}}
	got := rolesOf(none(), a)
	if len(got) != 2 || got[0].Language != "go" || got[1].Language != "rust" || slices.Contains(got[1].Roles, scout.RoleTable) {
		t.Errorf("got %+v", got)
	}
	if told := rolesIn(none(), "cobol"); len(told.Roles)+len(told.Traits) > 0 {
		t.Errorf("of an unknown language %+v", told)
	}
}

// The tables of docs/roles.md say the same.
func TestRolesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/roles.md")
	if err != nil {
		t.Fatal(err)
	}
	columns := []string{"go", "typescript", "python", "c", "rust"}
	documented := make(map[string]map[string]bool) // by "role call", of languages
	table := ""
	for line := range strings.Lines(string(doc)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		name := strings.TrimSpace(cells[0])
		switch {
		case !strings.HasPrefix(line, "|") || name == "change":
			table = ""
		case name == "role", name == "trait":
			table = name
		case table != "" && len(cells) == 2+len(columns):
			documented[table+" "+name] = make(map[string]bool)
			for i, id := range columns {
				documented[table+" "+name][id] = strings.TrimSpace(cells[2+i]) == "yes"
			}
		}
	}
	for _, id := range columns {
		told := rolesIn(none(), id)
		for _, role := range scout.Roles() {
			if says, ok := documented["role "+string(role)][id]; !ok || says != slices.Contains(told.Roles, role) {
				t.Errorf("docs/roles.md is wrong about the role %q of %s", role, id)
			}
		}
		for _, name := range scout.TraitNames() {
			if says, ok := documented["trait "+string(name)][id]; !ok || says != slices.Contains(told.Traits, name) {
				t.Errorf("docs/roles.md is wrong about the trait %q of %s", name, id)
			}
		}
	}
	if want := len(scout.Roles()) + len(scout.TraitNames()); len(documented) != want {
		t.Errorf("docs/roles.md has %d roles and traits, not %d", len(documented), want)
	}
}
