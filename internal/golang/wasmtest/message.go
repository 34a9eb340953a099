package wasmtest

// An order is the task of the sandbox process: one line of JSON on its standard input. The input stays open as long as the process
// may run.
type order struct {
	Binary string   `json:"binary"` // of WebAssembly, absolute
	Module string   `json:"module"` // absolute directory, which guests see read-only
	Dir    string   `json:"dir"`    // of the package, in which guests begin
	Tests  []string `json:"tests"`  // to be run; null: list them first
	Few    bool     `json:"few"`    // there are so few that translating the binary to machine code costs more than it saves
	Memory int64    `json:"memory"` // bytes
	Files  int64    `json:"files"`  // bytes
	CPU    int64    `json:"cpu"`    // seconds of processor time, after which the kernel ends the process
}

// A message is a line of JSON on the standard output of the sandbox process.
type message struct {
	Loaded     bool            `json:"loaded,omitempty"`     // the binary is ready to be run
	Tests      []string        `json:"tests,omitempty"`      // those that will be run
	Begun      string          `json:"begun,omitempty"`      // a test begins
	Translates bool            `json:"translates,omitempty"` // the test that has begun needs machine code, and will begin again
	Functions  []coverFunction `json:"functions,omitempty"`  // that results speak of, after those told before
	Ended      *ended          `json:"ended,omitempty"`      // the test has ended
	Failed     string          `json:"failed,omitempty"`     // why nothing can be run
}

// An ended is the outcome of a test.
type ended struct {
	Passed bool  `json:"passed"`
	Ran    []int `json:"ran"` // places in the list of functions, ascending
}
