package scout

// A rule says what a change means for the places of one role.
type rule struct {
	relevance int    // 1 to 5: how surely such a place belongs to the answer
	risk      int    // 1 to 5: 5 fails to compile or goes wrong silently
	travels   bool   // the change goes on from there
	action    string // what to do there; "" for what is only worth a look
}

// ruleFor is the rule of a role under a kind of change. A role that the kind
// says nothing about has that of [Other], less relevant by one and without
// anything to do: it was found, but nothing says that this change touches it.
func ruleFor(kind ChangeKind, role Role) rule {
	if role == RoleUsed && !kind.open() {
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

// open reports whether a question of this kind asks for whatever helps, not only
// for what must be changed or looked at.
func (k ChangeKind) open() bool { return k == Other }

// ranked reports whether a scorer may leave a place out. Elsewhere roles decide
// what belongs to the answer, and scores only its order.
func (k ChangeKind) ranked() bool { return k == Other || k == ChangeBehavior }

// chained reports whether a change passes from caller to caller, so that the
// number of steps says more than any score.
func (k ChangeKind) chained() bool { return k == ReturnError || k == ChangeBehavior }

// tried reports whether a compiler has anything to say about such a change. What
// an error among the results breaks is the beginning of the chain and no more.
func (k ChangeKind) tried() bool { return !k.open() && !k.chained() }

// compiled reports whether a compiler sees everything that such a change breaks.
func (k ChangeKind) compiled() bool {
	switch k {
	case AddParameter, ChangeSignature, AddMethod, RemoveField, ChangeType, Rename, Delete:
		return true
	}
	return false
}

// belongs reports whether an answer about a kind of change lists an edge.
func belongs(kind ChangeKind, e Edge) bool {
	return kind.open() || e.Role != RoleUsed && (e.Certain || actionAt(kind, e) != "")
}

// actionAt is what to do at the end of an edge; "" for what is only worth a look.
func actionAt(kind ChangeKind, e Edge) string {
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
