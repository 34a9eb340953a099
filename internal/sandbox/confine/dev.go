//go:build linux && (amd64 || arm64)

package confine

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// A device is a clone of a device's node, which only a mount can carry into a namespace of a user.
type device struct {
	name string
	tree int
}

// cloneDevices clones the nodes that a command may have.
func cloneDevices() ([]device, error) {
	var all []device
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		tree, err := cloneTree("/dev/"+name, 0)
		if errors.Is(err, unix.ENOENT) && name != "null" {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("cloning /dev/%s: %w", name, err)
		}
		all = append(all, device{name, tree})
	}
	return all, nil
}

// shmBytes is how large the files in /dev/shm may be together; what is in memory alone counts for no process.
const shmBytes = "67108864"

// mountDev covers /dev with one that has these devices, terminals of its own, a /dev/shm, and what hidden things are covered with.
func mountDev(devices []device) error {
	if err := unix.Mount("tmpfs", "/dev", "tmpfs", unix.MS_NOSUID|unix.MS_NOEXEC, "mode=0755,size=64k,nr_inodes=64"); err != nil {
		return err
	}
	for _, d := range devices {
		if err := place(d); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
	}
	for name, to := range map[string]string{
		"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2", "ptmx": "pts/ptmx",
	} {
		if err := os.Symlink(to, "/dev/"+name); err != nil {
			return err
		}
	}
	for _, dir := range []string{"/dev/pts", "/dev/shm", emptyDir} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(emptyFile, nil, 0o400); err != nil {
		return err
	}
	if err := unix.Mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620"); err != nil {
		return fmt.Errorf("pts: %w", err)
	}
	if err := unix.Mount("tmpfs", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,nr_inodes=4096,size="+shmBytes); err != nil {
		return fmt.Errorf("shm: %w", err)
	}
	return setattr(unix.AT_FDCWD, "/dev", 0, unix.MOUNT_ATTR_RDONLY)
}

// place attaches a device's node in the new /dev.
func place(d device) error {
	defer unix.Close(d.tree)
	path := "/dev/" + d.name
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return err
	}
	return unix.MoveMount(d.tree, "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

// tasksEach is how many threads and processes there may be for each process that a plan allows.
const tasksEach = 8

// mountProc covers /proc with the one of the new pid namespace. What user 0 may write there without any capability becomes read-only.
func mountProc(p *Plan) error {
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return err
	}
	if kernelAtLeast(6, 14) { // before, there is one pid_max for the whole machine, and user 0 would change that
		most := max(p.Processes*tasksEach, 512) // for user 0, whom RLIMIT_NPROC does not bind
		if err := os.WriteFile("/proc/sys/kernel/pid_max", []byte(strconv.Itoa(most)), 0); err != nil {
			return err
		}
	}
	for _, name := range []string{"sys", "sysrq-trigger", "irq", "bus", "fs"} {
		err := (&view{}).mount(Mount{Kind: Protect, Path: "/proc/" + name})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// kernelAtLeast reports whether the kernel is of this version or a later one.
func kernelAtLeast(major, minor int) bool {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return false
	}
	var is [2]int
	if n, _ := fmt.Sscanf(unix.ByteSliceToString(name.Release[:]), "%d.%d", &is[0], &is[1]); n != len(is) {
		return false
	}
	return is[0] > major || is[0] == major && is[1] >= minor
}

// raiseLoopback brings up the loopback interface of a network namespace.
func raiseLoopback(p *Plan) error {
	if p.Network {
		return nil
	}
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request)
}
