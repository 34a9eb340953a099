package ancestry

import (
	"bytes"
	"encoding/binary"
	"strings"

	"golang.org/x/sys/unix"
)

// look reads what the system knows of a process.
func look(pid int) (program, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return program{}, err
	}
	start := info.Proc.P_starttime
	p := program{
		Process:  Process{PID: pid, Started: uint64(start.Sec)*1e6 + uint64(start.Usec)},
		parent:   int(info.Eproc.Ppid),
		name:     unix.ByteSliceToString(info.Proc.P_comm[:]),
		terminal: info.Eproc.Tdev != -1,
	}
	p.path, p.args, _ = arguments(pid)
	return p, nil
}

// environ returns the environment that a process was started with; nil if it cannot be read.
func environ(pid int) []string {
	_, _, env := arguments(pid)
	return env
}

// arguments reads the executable's path, the arguments and the environment. The system gives them for processes of the
// same user. Format: the number of arguments, the path, zero bytes, then texts that each end with a zero byte.
func arguments(pid int) (path string, args, env []string) {
	data, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(data) < 4 {
		return "", nil, nil
	}
	count := int(binary.NativeEndian.Uint32(data))
	first, rest, _ := bytes.Cut(data[4:], []byte{0})
	texts := strings.Split(strings.TrimRight(strings.TrimLeft(string(rest), "\x00"), "\x00"), "\x00")
	count = min(max(count, 0), len(texts))
	return string(first), texts[:count], texts[count:]
}
