package scout

// Values of [Terms].Direction.
const (
	Uses  = "uses"  // what the symbol uses
	Users = "users" // what uses the symbol
)

// turns reports whether an edge leads back to where the walk comes from: what else uses that which the symbol uses, or
// what else is used by its users.
func turns(from, e Edge) bool {
	if from.Depth == 0 || from.Role == RoleImplementation || e.Role == RoleImplementation {
		return false
	}
	return (from.Role == RoleUsed) != (e.Role == RoleUsed)
}
