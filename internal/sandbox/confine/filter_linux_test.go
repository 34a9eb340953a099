//go:build amd64 || arm64

package confine

import (
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// A call is what the kernel gives a filter.
type call struct {
	arch, number uint32
	arguments    [6]uint64
}

// run evaluates a filter as the kernel does.
func (p program) run(t interface{ Fatalf(string, ...any) }, c call) uint32 {
	var a uint32
	for pc := 0; pc < len(p); pc++ {
		i := p[pc]
		jump := false
		switch i.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			switch {
			case i.K == offsetCall:
				a = c.number
			case i.K == offsetArch:
				a = c.arch
			default:
				a = uint32(c.arguments[(i.K-offsetArgs)/8])
			}
			continue
		case unix.BPF_RET | unix.BPF_K:
			return i.K
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			jump = a == i.K
		case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			jump = a >= i.K
		case unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K:
			jump = a&i.K != 0
		default:
			t.Fatalf("instruction %d has the unknown code %x", pc, i.Code)
		}
		if jump {
			pc += int(i.Jt)
		} else {
			pc += int(i.Jf)
		}
	}
	t.Fatalf("the filter ends without an answer to %+v", c)
	return 0
}

func TestFilterAnswers(t *testing.T) {
	allow, no := uint32(unix.SECCOMP_RET_ALLOW), refuse(unix.EPERM)
	full, partial := filter(&Plan{Full: true}, 7), filter(&Plan{}, 7)
	for _, c := range []struct {
		name          string
		number        uint32
		arguments     [6]uint64
		full, partial uint32
	}{
		{"read", unix.SYS_READ, [6]uint64{}, allow, allow},
		{"mount", unix.SYS_MOUNT, [6]uint64{}, no, no},
		{"clone of a thread", unix.SYS_CLONE, [6]uint64{unix.CLONE_VM | unix.CLONE_THREAD | unix.CLONE_SIGHAND}, allow, allow},
		{"clone of a user namespace", unix.SYS_CLONE, [6]uint64{unix.CLONE_NEWUSER | uint64(unix.SIGCHLD)}, no, no},
		{"unshare of a time namespace", unix.SYS_UNSHARE, [6]uint64{newTime}, no, no},
		{"unshare of files", unix.SYS_UNSHARE, [6]uint64{unix.CLONE_FILES}, allow, allow},
		{"clone3", unix.SYS_CLONE3, [6]uint64{}, refuse(unix.ENOSYS), refuse(unix.ENOSYS)},
		{"TIOCSTI with high bits", unix.SYS_IOCTL, [6]uint64{0, 1<<32 | tiocsti}, no, no},
		{"another ioctl", unix.SYS_IOCTL, [6]uint64{0, unix.TCGETS}, allow, allow},
		{"chmod 755", unix.SYS_FCHMOD, [6]uint64{3, 0o755}, allow, allow},
		{"chmod 4755", unix.SYS_FCHMOD, [6]uint64{3, 0o4755}, no, no},
		{"open, a mode that does not count", unix.SYS_OPENAT, [6]uint64{0, 0, unix.O_RDONLY, 0o4755}, allow, allow},
		{"open, made to run as its owner", unix.SYS_OPENAT, [6]uint64{0, 0, unix.O_CREAT | unix.O_WRONLY, 0o4755}, no, no},
		{"a Unix socket", unix.SYS_SOCKET, [6]uint64{unix.AF_UNIX}, allow, refuse(unix.EAFNOSUPPORT)},
		{"an inet socket", unix.SYS_SOCKET, [6]uint64{unix.AF_INET}, allow, refuse(unix.EAFNOSUPPORT)},
		{"a vsock socket", unix.SYS_SOCKET, [6]uint64{unix.AF_VSOCK}, refuse(unix.EAFNOSUPPORT), refuse(unix.EAFNOSUPPORT)},
		{"a pair", unix.SYS_SOCKETPAIR, [6]uint64{unix.AF_UNIX}, allow, allow},
		{"ptrace", unix.SYS_PTRACE, [6]uint64{}, allow, no},
	} {
		at := call{nativeArch, c.number, c.arguments}
		if got := full.run(t, at); got != c.full {
			t.Errorf("%s, full: %x, want %x", c.name, got, c.full)
		}
		if got := partial.run(t, at); got != c.partial {
			t.Errorf("%s, partial: %x, want %x", c.name, got, c.partial)
		}
	}
}

// TestFilterAlwaysAnswers: whatever the call, there is an answer; other architectures are killed, and what is refused at full is so at partial.
func TestFilterAlwaysAnswers(t *testing.T) {
	full, partial := filter(&Plan{Full: true}, 7), filter(&Plan{}, 7)
	rapid.Check(t, func(t *rapid.T) {
		c := call{arch: nativeArch, number: rapid.Uint32Range(0, 600).Draw(t, "number")}
		for i := range c.arguments {
			c.arguments[i] = rapid.Uint64().Draw(t, "argument")
		}
		answer := full.run(t, c)
		if below := partial.run(t, c); answer != unix.SECCOMP_RET_ALLOW && below == unix.SECCOMP_RET_ALLOW {
			t.Fatalf("%+v: %x at full, allowed at partial", c, answer)
		}
		c.arch ^= 1 << rapid.IntRange(0, 31).Draw(t, "bit")
		if answer := full.run(t, c); answer != unix.SECCOMP_RET_KILL_PROCESS {
			t.Fatalf("architecture %x: %x", c.arch, answer)
		}
		c.arch = nativeArch
		if foreignCalls != 0 {
			c.number |= foreignCalls
			if answer := full.run(t, c); answer != unix.SECCOMP_RET_KILL_PROCESS {
				t.Fatalf("call %x: %x", c.number, answer)
			}
		}
	})
}
