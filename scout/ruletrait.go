package scout

import "tidepool/internal/wording"

// A traitRule is what a kind of change means for the places of a role that have
// a trait, where that is not what it means for the others.
type traitRule struct {
	kind  ChangeKind
	role  Role
	trait TraitName
	rule  rule
}

// traitRules are few: most traits only tell how a place is. Of those of one place
// the first counts. They are read, never written.
var traitRules = []traitRule{
	{RemoveField, RoleLiteral, TraitUnkeyed, rule{5, 5, false, "drop its value"}},
	{ChangeType, RoleLiteral, TraitUnkeyed, rule{4, 4, false, "adapt its value"}},
	{AddVariant, RoleSwitch, TraitText, rule{5, 5, false, "name the new variant"}},
	{AddVariant, RoleTable, TraitText, rule{5, 5, false, "name the new variant"}},
	{ReturnError, RoleCall, TraitHandles, rule{4, 3, false, "see that it handles the new error"}},
	{ReturnError, RoleCall, TraitDrops, rule{4, 4, false, "it drops the error: handle it or pass it on"}},
	{Other, RoleLiteral, TraitUnkeyed, rule{4, 4, false, "breaks if a field is added or removed"}},
	{Other, RoleCall, TraitDrops, rule{4, 4, true, "it drops the error"}},
}

// ruleAt is the rule of the place that an edge leads to.
func ruleAt(kind ChangeKind, e Edge) rule {
	for _, t := range traitRules {
		if _, has := e.Trait(t.trait); has && t.kind == kind && t.role == e.Role {
			return t.rule
		}
	}
	return ruleFor(kind, e.Role)
}

// regenerate is what to do in a file that a program has written.
func regenerate(by string) string {
	if by == "" {
		return "regenerate it, do not edit"
	}
	return "regenerate with " + wording.Line(by, maxTraitDetail)
}

// edits reports whether a change of this kind asks for edits where it is felt.
func (k ChangeKind) edits() bool { return k != Other && k != ChangeBehavior }
