package analysis

import (
	"encoding/json"

	"tidepool/internal/diskcache"
	"tidepool/internal/golang/fact"
)

// Subcommand is the argument with which a program is started so that it serves a [Client].
const Subcommand = "analyse-packages"

// MaxMessage bounds a message between the processes, in bytes.
const MaxMessage = 64 << 20

// A Tree is the source files that a question is about.
type Tree struct {
	// Walk is the number of the walk that the question belongs to; 0: none. Questions of one walk about all packages see them
	// as they are at the first one.
	Walk    uint64
	Sources []string // all Go files of the tree
	Dirs    []string // of the packages that the question is about; nil: all
	Near    string   // of Dirs count those whose packages import that of this directory, through others too; "": all do
}

// A Request is a line that the process reads. It answers requests in their order.
type Request struct {
	ID      int             `json:"id"`
	Cancel  bool            `json:"cancel,omitempty"`  // nobody waits for the answer to ID any more; nothing else is set
	Op      Op              `json:"op,omitempty"`      // the question
	Walk    uint64          `json:"walk,omitempty"`    // of the tree
	Same    bool            `json:"same,omitempty"`    // the sources are those of the request before
	Sources []string        `json:"sources,omitempty"` // of the tree
	Dirs    []string        `json:"dirs,omitempty"`    // of the tree
	Near    string          `json:"near,omitempty"`    // of the tree
	Kept    string          `json:"kept,omitempty"`    // of the first request: the directory of what is kept, see [Keep]
	Of      json.RawMessage `json:"of,omitempty"`      // what the question is about, by its Op
}

// A Reply is a line that the process writes: an answer, or why there is none, or something to keep.
type Reply struct {
	ID     int             `json:"id"`
	Answer json.RawMessage `json:"answer,omitempty"`
	Error  string          `json:"error,omitempty"`
	Keep   *Keep           `json:"keep,omitempty"` // the rest is not set then
}

// A Keep is what the process, which may not write files, has found out and wants to find again after its end.
type Keep struct {
	Subject string `json:"subject"`
	Key     string `json:"key"`
	Data    []byte `json:"data"`
}

// Kept returns the cache in which a client keeps that for its processes.
func Kept(dir string) diskcache.Cache {
	return diskcache.Cache{Dir: dir, Ending: ".facts", Versions: 3, MaxFile: 16 << 20, MaxAll: 96 << 20}
}

// An Op is a kind of question.
type Op string

// The kinds of question: what each is about, and what answers it.
const (
	OpNames             Op = "names"               // fact.Place: []string
	OpEnum              Op = "enum"                // fact.Place: Enum
	OpInterface         Op = "interface"           // fact.Place: Interface
	OpUses              Op = "uses"                // fact.Place: Uses
	OpTests             Op = "tests"               // fact.Place: Tests
	OpTestFunctions     Op = "test functions"      // []TestName: []*fact.Function
	OpSelections        Op = "selections"          // fact.Place: []fact.Selection
	OpAbout             Op = "about"               // []fact.Place: []About
	OpUsed              Op = "used"                // fact.Place: Used
	OpOtherPlatformUses Op = "other platform uses" // Search: Found
	OpTry               Op = "try"                 // Attempt: fact.Trial
)

// An Enum is an enum-like type.
type Enum struct {
	Type     *fact.Type      // nil: there is none
	Switches []fact.Switch   // over the type
	Methods  []fact.Function // of the type
}

// An Interface is a type with what chooses between types that implement it.
type Interface struct {
	Type     *fact.Type        // nil: there is none
	Switches []fact.TypeSwitch // that a value with the methods of the type may come to, if the type is an interface with methods
}

// Uses are where a function is used.
type Uses struct {
	Function *fact.Function // nil: there is none
	Uses     []UseBy
	By       []Caller
}

// A UseBy is a use of a function.
type UseBy struct {
	fact.Use
	By int // place of the Caller around it in Uses.By
}

// A Caller is a function that uses another one.
type Caller struct {
	fact.Function
	Prescribed bool // an interface says what the method returns; false if something else decides already whether it may return an error
}

// Tests are the tests that may run a function.
type Tests struct {
	Function *fact.Function // nil: there is none
	Until    int            // the line of the next function of the file; 0: there is none
	Tests    []fact.Test    // the likeliest first
}

// A TestName is a test in the packages of a directory.
type TestName struct{ Dir, Name string }

// An About is what types tell of the name at a place.
type About struct {
	Passes   []string // the embedded fields that the selector passes
	ErrorUse fact.ErrorUse
}

// Used is what a function uses, or which methods a type has.
type Used struct {
	Function *fact.Function // nil: there is none
	Type     *fact.Type     // nil: there is none
}

// A Search looks in the packages of directories for names that mean the declaration at a place.
type Search struct {
	Dirs []string
	For  fact.Place
}

// Found is what a search finds in files that the system we run on does not build.
type Found struct {
	Places []fact.Place
	Seen   []string // the files in which none is missed
}

// An Attempt edits files, and asks what becomes of the packages of directories on other systems.
type Attempt struct {
	Dirs   []string
	Edits  []fact.Edit
	Extent fact.Extent
}
