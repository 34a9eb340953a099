package scout

// rules hold what a compiler says about each kind of change: which uses stop
// compiling, and through which declarations the change spreads. A role that has
// nothing to do under a kind is no part of its answers, but the walk may pass
// through it. They are read, never written.
var rules = map[ChangeKind]map[Role]rule{
	AddParameter:    signatureRules("pass the new argument", "take the new parameter too"),
	ChangeSignature: signatureRules("adapt the call", "change the signature here too"),

	RemoveParameter:   signatureRules("drop the argument", "drop the parameter too"),
	RetypeParameter:   signatureRules("pass the new type", "change the parameter too"),
	ReorderParameters: signatureRules("reorder the arguments", "reorder the parameters too"),
	RenameParameter:   signatureRules("adapt the call", "change the signature here too"),
	MakeVariadic:      signatureRules("adapt the arguments", "make it variadic too"),
	RemoveResult:      signatureRules("do without the result", "drop the result too"),
	ChangeReceiver:    signatureRules("call it on the new receiver", "change the signature here too"),
	MakeGeneric:       genericRules(),
	AddField:          fieldRules(),
	ChangeValue:       everywhere("see whether it relies on the value", "change the value here"),
	Move:              everywhere("name it by its new package", "move it"),
	Deprecate:         everywhere("use what replaces it", "mark it here"),

	AddMethod: {
		RoleDefinition:     {5, 3, true, "add the method here"},
		RoleImplementation: {5, 5, true, "add the method"},
		RoleMock:           {5, 5, true, "add the method"},
		RoleAssertion:      {4, 4, false, "fails until the type has the method"},
		RoleConversion:     {4, 4, false, "fails until the type has the method"},
		RoleEmbedding:      {5, 4, true, ""},
		RoleReExport:       {3, 2, true, ""},
	},
	RemoveField: {
		RoleDefinition:  {5, 3, true, "remove it here"},
		RoleFieldUse:    {5, 5, false, "remove or replace this use"},
		RolePromotion:   {5, 5, false, "no longer promoted"},
		RoleCall:        {4, 4, false, "it was promoted: call it another way"},
		RoleTest:        {4, 4, false, "it was promoted: call it another way"},
		RoleExample:     {4, 3, false, "it was promoted: call it another way"},
		RoleMethodValue: {4, 4, false, "it was promoted: name it another way"},
		RoleLiteral:     {4, 4, false, "drop the field from the literal"},
		RoleConversion:  {4, 4, false, "may no longer satisfy the interface"},
		RoleAssertion:   {4, 4, false, "may no longer satisfy the interface"},
		RoleReference:   {3, 3, false, "remove or replace this use"},
		RoleEmbedding:   {4, 4, true, ""},
	},
	Rename: renameRules(),
	ChangeType: {
		RoleDefinition:   {5, 3, true, "change the type here"},
		RoleFieldUse:     {5, 4, false, "adapt to the new type"},
		RoleCall:         {4, 4, false, "adapt to the new type"},
		RoleMethodValue:  {4, 4, false, "adapt to the new type"},
		RoleLiteral:      {4, 3, false, "adapt the value"},
		RoleMember:       {4, 3, false, "adapt the value"},
		RoleConversion:   {4, 4, false, "adapt the conversion"},
		RoleAssertion:    {4, 4, false, "adapt the assertion"},
		RoleTypeUse:      {4, 4, false, "adapt to the new type"},
		RolePromotion:    {4, 4, false, "adapt to the new type"},
		RoleStringMethod: {4, 4, false, "adapt to the new type"},
		RoleSwitch:       {4, 4, false, "adapt the cases"},
		RoleTypeSwitch:   {4, 4, false, "adapt the cases"},
		RoleTable:        {4, 4, false, "adapt the keys"},
		RoleEmbedding:    {4, 4, true, "embeds the changed type"},
		RoleReExport:     {4, 3, true, "hands the new type on"},
		RoleTest:         {4, 3, false, "adapt to the new type"},
		RoleExample:      {4, 2, false, "adapt to the new type"},
		RoleReference:    {4, 3, false, "adapt to the new type"},
	},
	AddVariant: {
		RoleDefinition:   {5, 3, true, "add the variant here"},
		RoleSwitch:       {5, 5, false, "add a case"},
		RoleTable:        {5, 5, false, "add an entry"},
		RoleTypeSwitch:   {4, 4, false, "add a case"},
		RoleStringMethod: {4, 4, false, "see that it names the new variant"},
		RoleReExport:     {3, 2, true, ""},
		RoleMember:       {3, 1, false, ""},
	},
	AddImplementation: {
		RoleDefinition:     {5, 2, true, "what the new type has to satisfy"},
		RoleTypeSwitch:     {5, 5, false, "add a case"},
		RoleSwitch:         {4, 4, false, "add a case"},
		RoleTable:          {4, 4, false, "add an entry"},
		RoleReExport:       {3, 2, true, ""},
		RoleImplementation: {3, 1, false, ""},
	},
	ReturnError: {
		RoleDefinition:      {5, 3, true, "return the error here"},
		RoleCall:            {5, 4, true, "handle or pass on the error"},
		RoleMethodValue:     {4, 4, false, "adapt the function type"},
		RoleImplementation:  {4, 4, true, "return the error too"},
		RoleMock:            {4, 3, false, "return the error too"},
		RoleTest:            {3, 2, false, "handle the error"},
		RoleExample:         {3, 2, false, "handle the error"},
		RoleAssertion:       {3, 3, false, "may no longer satisfy the interface"},
		RoleConversion:      {3, 3, false, "may no longer satisfy the interface"},
		RoleInterfaceMethod: {4, 4, false, ""},
	},
	Delete: deleteRules(),
	ChangeBehavior: {
		RoleDefinition:      {5, 3, true, "change it here"},
		RoleTest:            {5, 4, false, "run this test"},
		RoleExample:         {5, 4, false, "run this example"},
		RoleCall:            {4, 3, true, ""},
		RoleMethodValue:     {4, 3, true, ""},
		RoleInterfaceMethod: {4, 2, true, ""},
		RoleImplementation:  {3, 2, true, ""},
		RoleTable:           {3, 2, true, ""},
		RoleReExport:        {3, 2, true, ""},
		RoleReference:       {2, 2, true, ""},
	},
	Other: {
		RoleDefinition:      {5, 3, true, "change it here"},
		RoleCall:            {4, 3, true, "check what it relies on"},
		RoleMethodValue:     {4, 3, true, "check who calls the value"},
		RoleImplementation:  {4, 3, true, "check that it still fits"},
		RoleInterfaceMethod: {4, 3, true, "check the contract"},
		RoleEmbedding:       {4, 3, true, "check what is promoted"},
		RolePromotion:       {4, 3, true, "check what it relies on"},
		RoleStringMethod:    {3, 3, true, "check the names"},
		RoleReExport:        {3, 2, true, ""},
		RoleFieldUse:        {3, 3, true, ""},
		RoleSwitch:          {3, 3, false, "check the cases"},
		RoleTypeSwitch:      {3, 3, false, "check the cases"},
		RoleTable:           {3, 3, false, "check the entries"},
		RoleMember:          {3, 2, true, ""},
		RoleTest:            {3, 2, false, "run this test"},
		RoleConversion:      {3, 2, false, ""},
		RoleLiteral:         {3, 2, false, ""},
		RoleTypeUse:         {3, 2, false, ""},
		RoleUsed:            {4, 2, true, ""},
		RoleMock:            {2, 2, false, "keep it in step"},
		RoleAssertion:       {2, 2, false, ""},
		RoleReference:       {2, 2, false, ""},
		RoleExample:         {2, 1, false, "keep it in step"},
		RoleImport:          {1, 1, false, ""},
	},
}

func signatureRules(atCall, atDeclaration string) map[Role]rule {
	return map[Role]rule{
		RoleDefinition:      {5, 3, true, "change the signature here"},
		RoleCall:            {5, 5, false, atCall},
		RoleMethodValue:     {5, 5, false, "adapt the function type"},
		RoleImplementation:  {5, 5, true, atDeclaration},
		RoleInterfaceMethod: {5, 4, true, atDeclaration},
		RoleMock:            {5, 4, false, atDeclaration},
		RoleLiteral:         {5, 5, false, atCall},
		RoleTable:           {4, 4, false, "adapt the function type"},
		RoleAssertion:       {4, 4, false, "no longer fits the interface: change both"},
		RoleConversion:      {4, 4, false, "no longer fits the interface: change both"},
		RoleTypeSwitch:      {3, 3, false, "no longer fits the interface: change both"},
		RoleTest:            {4, 3, false, atCall},
		RoleExample:         {4, 2, false, atCall},
		RoleReExport:        {4, 3, true, "hands the new signature on"},
		RoleReference:       {3, 3, false, "see whether it relies on the signature"},
		RoleEmbedding:       {3, 3, true, ""},
	}
}

// renameRules: every place that spells the name, and nothing beyond.
func renameRules() map[Role]rule {
	all := make(map[Role]rule)
	for _, role := range Roles() {
		all[role] = rule{4, 2, false, "use the new name"}
	}
	all[RoleDefinition] = rule{5, 2, true, "rename it here"}
	all[RolePromotion] = rule{1, 1, false, ""}
	all[RoleImplementation] = rule{5, 4, true, "rename it too, or it no longer implements"}
	all[RoleInterfaceMethod] = rule{5, 4, true, "rename it too, or it is no longer implemented"}
	all[RoleMock] = rule{5, 3, false, "rename it too"}
	all[RoleReExport] = rule{5, 4, true, "use the new name; other modules may know the old one"}
	return all
}

// deleteRules: nothing that uses the symbol compiles.
func deleteRules() map[Role]rule {
	all := make(map[Role]rule)
	for _, role := range Roles() {
		all[role] = rule{5, 5, false, "remove or replace this use"}
	}
	all[RoleDefinition] = rule{5, 3, true, "delete it here"}
	all[RoleReExport] = rule{5, 5, true, "other modules may use it from here"}
	all[RoleImplementation] = rule{3, 2, false, "may have lost its purpose"}
	all[RoleInterfaceMethod] = rule{4, 4, false, "is no longer implemented"}
	all[RoleConversion] = rule{4, 4, false, "may no longer satisfy the interface"}
	all[RoleTest] = rule{4, 3, false, "remove or replace this use"}
	all[RoleExample] = rule{4, 2, false, "remove or replace this use"}
	all[RoleMock] = rule{4, 2, false, "may have lost its purpose"}
	all[RoleImport] = rule{3, 2, false, "drop the import if this was its last use"}
	return all
}

// everywhere has one thing to do at every place that refers to the symbol.
func everywhere(action, definition string) map[Role]rule {
	all := make(map[Role]rule)
	for _, role := range Roles() {
		all[role] = rule{4, 3, false, action}
	}
	all[RoleDefinition] = rule{5, 3, true, definition}
	all[RoleReExport] = rule{4, 3, true, action}
	for _, role := range []Role{RoleImplementation, RoleInterfaceMethod, RoleMock, RolePromotion, RoleMember} {
		all[role] = rule{relevance: 2, risk: 1}
	}
	return all
}

// fieldRules: who lists all fields misses the new one, and who promotes one of its name has two.
func fieldRules() map[Role]rule {
	all := everywhere("adapt to the new field", "add the field here")
	for _, role := range []Role{RoleTypeUse, RoleReference, RoleEmbedding, RoleImport, RoleTest, RoleExample, RoleStringMethod} {
		all[role] = rule{relevance: 2, risk: 1, travels: role == RoleEmbedding}
	}
	all[RoleLiteral] = rule{5, 5, false, "give the new field a value"}
	return all
}

// genericRules: who names the symbol without calling it has to say for which types.
func genericRules() map[Role]rule {
	all := everywhere("say for which type", "add the type parameter here")
	all[RoleMethodValue] = rule{5, 5, false, "say for which type"}
	return all
}
