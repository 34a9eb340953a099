package confine

// The descriptors that the process inherits besides the standard ones.
const (
	PlanFD   = 3 // the plan, as JSON, and no end of it while the daemon lives
	ReportFD = 4 // the report, as JSON
)

// Version is the version of Plan and Report. A process refuses a plan of another one: the programs are then of different releases.
const Version = 1

// maxPlan bounds a plan, in bytes.
const maxPlan = 16 << 20

// A Plan is what the daemon asks for. All paths are absolute and resolved.
type Plan struct {
	Version int
	Full    bool     // in namespaces of its own; else Landlock and the filter alone
	Args    []string // the command; one without a slash is looked for in the PATH of Env
	Dir     string
	Env     []string
	View    []Mount // what is mounted, in this order; nothing if not Full
	Read    []string
	Write   []string // trees for Landlock: to read and run, and to write besides
	Network bool     // the network of the machine

	self bool // the process that confines itself runs no command

	MemoryBytes int64 // resident, of all processes together
	Processes   int   // at once
}

// A Kind says what is mounted at a path.
type Kind string

// The kinds of mounts. What is missing stays missing, except at the path of Show and Write, which is made.
const (
	Hide    Kind = "hide"    // an empty directory or an empty file
	Room    Kind = "room"    // an empty directory in which later mounts have their places
	Show    Kind = "show"    // the tree From, to read
	Write   Kind = "write"   // the tree From, to write
	Guard   Kind = "guard"   // itself, so that it cannot be renamed
	Protect Kind = "protect" // itself, to read
)

// A Mount is one mount of a view.
type Mount struct {
	Kind Kind
	Path string
	From string // of Show and Write: the tree as it was before anything was mounted
}

// A Report is what became of the command.
type Report struct {
	Step  string // the step that failed, "" if the command ran
	Error string // why

	Exit   int    // the status; 128 and the signal if a signal ended it
	Signal int    // 0 if none did
	Limit  string // the limit that ended it: "memory" or "processes"
}

// The limits of a Report.
const (
	LimitMemory    = "memory"
	LimitProcesses = "processes"
)
