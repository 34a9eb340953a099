//go:build linux

package escape

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// kernelObjects are things of the world that are no files: a key, memory, messages. Each holds a secret. close removes them.
type kernelObjects struct {
	number   int // the key of System V's
	key      int
	segment  int
	messages uintptr
	sets     uintptr
	queue    string
	file     string // below /dev/shm
}

func newKernelObjects(w *world) (*kernelObjects, error) {
	o := &kernelObjects{number: int(crc32.ChecksumIEEE([]byte(w.token)) & 0x7fffffff), queue: w.token, file: filepath.Join("/dev/shm", w.token)}
	for _, add := range []func(*world) error{o.makeKey, o.makeSegment, o.makeMessages, o.makeQueue} {
		if err := add(w); err != nil {
			return o, errors.Join(err, o.close())
		}
	}
	return o, os.WriteFile(o.file, []byte(w.hide("/dev/shm")), 0o600)
}

func (o *kernelObjects) makeKey(w *world) (err error) {
	if o.key, err = unix.AddKey("user", w.token, []byte(w.hide("key")), unix.KEY_SPEC_USER_KEYRING); err != nil {
		return fmt.Errorf("adding a key: %w", err)
	}
	return nil
}

func (o *kernelObjects) makeSegment(w *world) (err error) {
	if o.segment, err = unix.SysvShmGet(o.number, 32, unix.IPC_CREAT|0o600); err != nil {
		return fmt.Errorf("making shared memory: %w", err)
	}
	memory, err := unix.SysvShmAttach(o.segment, 0, 0)
	if err != nil {
		return fmt.Errorf("attaching shared memory: %w", err)
	}
	copy(memory, w.hide("shared memory"))
	return unix.SysvShmDetach(memory)
}

func (o *kernelObjects) makeMessages(w *world) error {
	var errno unix.Errno
	if o.sets, _, errno = unix.Syscall(unix.SYS_SEMGET, uintptr(o.number), 1, unix.IPC_CREAT|0o600); errno != 0 {
		return fmt.Errorf("making semaphores: %w", errno)
	}
	if o.messages, _, errno = unix.Syscall(unix.SYS_MSGGET, uintptr(o.number), unix.IPC_CREAT|0o600, 0); errno != 0 {
		return fmt.Errorf("making a queue of messages: %w", errno)
	}
	return o.send(w)
}

// send puts a message into the queue of System V.
func (o *kernelObjects) send(w *world) error {
	m := struct {
		kind int64
		text [32]byte
	}{kind: 1}
	copy(m.text[:], w.hide("message"))
	if _, _, errno := unix.Syscall6(unix.SYS_MSGSND, o.messages, uintptr(unsafe.Pointer(&m)), unsafe.Sizeof(m.text), unix.IPC_NOWAIT, 0, 0); errno != 0 {
		return fmt.Errorf("sending a message: %w", errno)
	}
	return nil
}

// makeQueue makes a queue of POSIX. The kernel's names of them have no slash at the front.
func (o *kernelObjects) makeQueue(w *world) error {
	name, err := unix.BytePtrFromString(o.queue)
	if err != nil {
		return err
	}
	fd, _, errno := unix.Syscall6(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(name)), unix.O_CREAT|unix.O_WRONLY|unix.O_CLOEXEC, 0o600, 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("making a message queue: %w", errno)
	}
	defer unix.Close(int(fd))
	text := []byte(w.hide("queue"))
	if _, _, errno := unix.Syscall6(unix.SYS_MQ_TIMEDSEND, fd, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)), 0, 0, 0); errno != 0 {
		return fmt.Errorf("sending a message: %w", errno)
	}
	return nil
}

func (o *kernelObjects) close() error {
	_, err := unix.SysvShmCtl(o.segment, unix.IPC_RMID, nil)
	if name, e := unix.BytePtrFromString(o.queue); e == nil {
		_, _, _ = unix.Syscall(unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(name)), 0, 0)
	}
	_, _, _ = unix.Syscall(unix.SYS_SEMCTL, o.sets, 0, unix.IPC_RMID)
	_, _, _ = unix.Syscall(unix.SYS_MSGCTL, o.messages, unix.IPC_RMID, 0)
	_, _ = unix.KeyctlInt(unix.KEYCTL_UNLINK, o.key, unix.KEY_SPEC_USER_KEYRING, 0, 0)
	return errors.Join(err, os.Remove(o.file))
}
