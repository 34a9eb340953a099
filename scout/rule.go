package scout

import (
	"tidepool/internal/wording"
)

// A rule says what a change means for the places of one role.
type rule struct {
	relevance int    // 1 to 5: how surely such a place belongs to the answer
	risk      int    // 1 to 5: 5 fails to compile or goes wrong silently
	travels   bool   // the change goes on from there
	action    string // what to do there; "" for what is only worth a look
}

// ruleFor returns the rule of a role under a kind of change. A role that the kind
// says nothing about has that of [Other], less relevant by one and without
// anything to do: it was found, but nothing says that this change touches it.
func ruleFor(kind ChangeKind, role Role) rule {
	if role == RoleUsed && !kind.Open() {
		return rule{relevance: 1, risk: 1} // no change touches what the changed uses
	}
	if r, ok := rules[kind][role]; ok {
		return r
	}
	r, ok := rules[Other][role]
	if !ok {
		r = rules[Other][RoleReference]
	}
	if kind != Other {
		r = rule{relevance: max(1, r.relevance-1), risk: max(1, r.risk-1)}
	}
	return r
}

// Open reports whether a question of this kind asks for whatever helps, not only
// for what must be changed or looked at.
func (k ChangeKind) Open() bool { return k == Other }

// ranked reports whether a scorer may leave a place out. Elsewhere roles decide
// what belongs to the answer, and scores only its order.
func (k ChangeKind) ranked() bool { return k == Other || k == ChangeBehavior }

// chained reports whether a change passes from caller to caller, so that the
// number of steps says more than any score.
func (k ChangeKind) chained() bool { return k == ReturnError || k == ChangeBehavior }

// tried reports whether a compiler has anything to say about such a change. What
// an error among the results breaks is the beginning of the chain and no more.
func (k ChangeKind) tried() bool {
	return !k.Open() && !k.chained() && k != Deprecate && k != ChangeValue
}

// compiled reports whether a compiler sees everything that such a change breaks.
func (k ChangeKind) compiled() bool {
	switch k {
	case AddParameter, RemoveParameter, RetypeParameter, ReorderParameters, RenameParameter, MakeVariadic, RemoveResult,
		ChangeSignature, ChangeReceiver, MakeGeneric, AddMethod, AddField, RemoveField, ChangeType, Rename, Move, Delete:
		return true
	}
	return false
}

// belongs reports whether an answer about a kind of change lists an edge.
func belongs(kind ChangeKind, e Edge) bool {
	return kind.Open() || e.Role != RoleUsed && (e.Certain || ActionAt(kind, e) != "")
}

// ActionAt returns what to do at the end of an edge; "" for what is only worth a look.
func ActionAt(kind ChangeKind, e Edge) string {
	action := ruleAt(kind, e).action
	by, generated := e.Trait(TraitGenerated)
	switch {
	case generated && kind.edits() && (action != "" || e.Fix != "" || e.Certain):
		return regenerate(by.Detail)
	case e.Fix != "":
		return e.Fix
	case action == "" && kind == ChangeBehavior && e.Test:
		return ruleFor(kind, RoleTest).action
	case action == "" && e.Certain:
		return "no longer compiles"
	}
	return action
}

// Roles lists the roles that an answer about a change of this kind is made of. An
// answer lacks most of what there is where a language cannot tell them.
func (k ChangeKind) Roles() []Role {
	var essential []Role
	for _, role := range Roles() {
		if r := rules[k][role]; role != RoleDefinition && r.relevance == 5 && r.action != "" {
			essential = append(essential, role)
		}
	}
	return essential
}

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

// ruleAt returns the rule of the place that an edge leads to.
func ruleAt(kind ChangeKind, e Edge) rule {
	for _, t := range traitRules {
		if _, has := e.Trait(t.trait); has && t.kind == kind && t.role == e.Role {
			return t.rule
		}
	}
	return ruleFor(kind, e.Role)
}

// regenerate returns what to do in a file that a program has written.
func regenerate(by string) string {
	if by == "" {
		return "regenerate it, do not edit"
	}
	return "regenerate with " + wording.Line(by, maxCommand)
}

// edits reports whether a change of this kind asks for edits where it is felt.
func (k ChangeKind) edits() bool {
	return k != Other && k != ChangeBehavior && k != ChangeValue && k != Deprecate
}
