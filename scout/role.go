package scout

// A Role is what a place does with the declaration it refers to, as the
// language tells it: one thing. How it does that, and in what kind of file, its
// traits say. A role weighs more than a score: see the rules of each
// [ChangeKind].
type Role string

// The roles.
const (
	RoleDefinition      Role = "definition"          // declares it
	RoleCall            Role = "call"                // calls it
	RoleMethodValue     Role = "method value"        // takes a function or method as a value, without calling it
	RoleImplementation  Role = "implementation"      // implements the interface, or the interface's method
	RoleInterfaceMethod Role = "interface method"    // the method of an interface that it implements
	RoleAssertion       Role = "interface assertion" // var _ I = T{}, or x.(I)
	RoleConversion      Role = "conversion"          // converts to it or from it, also by assignment
	RoleLiteral         Role = "composite literal"   // builds a value of the type
	RoleFieldUse        Role = "field use"           // reads or writes the field
	RoleEmbedding       Role = "embedding"           // embeds the type
	RolePromotion       Role = "promotion"           // uses what the embedded field promotes, without naming the field
	RoleSwitch          Role = "exhaustive switch"   // a switch over the members of the type
	RoleTypeSwitch      Role = "type switch"         // a switch over the types that implement it
	RoleTable           Role = "table"               // a map, array or list with an entry per member
	RoleStringMethod    Role = "String-like method"  // writes the type as text, or reads it: String, Error, MarshalText and the like
	RoleMember          Role = "member"              // a constant of the enum-like type
	RoleTypeUse         Role = "type use"            // names the type in a declaration or signature
	RoleUsed            Role = "used declaration"    // is used by it: the other way round, and only for open questions
	RoleMock            Role = "mock"                // stands in for it in tests
	RoleTest            Role = "test"                // a test that reaches it
	RoleExample         Role = "example"             // an example that reaches it
	RoleImport          Role = "import"              // brings it into a file
	RoleReExport        Role = "re-export"           // an alias or a variable that hands it on
	RoleReference       Role = "reference"           // anything else
)

// Roles lists them in order of standing: where a place has two, the earlier is
// kept if the change does not prefer one.
func Roles() []Role {
	return []Role{
		RoleDefinition, RoleImplementation, RoleInterfaceMethod, RoleSwitch, RoleTypeSwitch, RoleTable,
		RoleStringMethod, RoleEmbedding, RolePromotion, RoleMock, RoleAssertion, RoleConversion, RoleLiteral, RoleCall, RoleMethodValue,
		RoleFieldUse, RoleMember, RoleReExport, RoleTypeUse, RoleUsed, RoleTest, RoleExample, RoleReference, RoleImport,
	}
}

// inTests reports whether nothing but a test runs the place.
func (e Edge) inTests() bool {
	return e.Test || e.Role == RoleTest || e.Role == RoleExample
}
