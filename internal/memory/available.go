package memory

// A Room is how much more memory the processes of the machine, or of the control groups that we run in, may occupy.
type Room struct {
	Bytes  int64    // 0: nothing is left
	From   string   // what bounds it: "MemAvailable of /proc/meminfo", or the path of a control group's limit
	Doubts []string // limits that could not be read, and what Bytes leaves out, one line each, for a person
}
