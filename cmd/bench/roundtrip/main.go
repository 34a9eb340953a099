// Roundtrip is the smallest possible hook: it sends its stdin as one line
// over a Unix socket by bare system calls and prints the line that comes
// back. It is what make bench holds agent hook against.
package main

import (
	"os"
	"syscall"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}

func run(socket string) error {
	buf := make([]byte, 0, 1<<16)
	buf = append(buf, `{"type":"HookEvent","input":`...)
	n, err := syscall.Read(0, buf[len(buf):cap(buf)-2])
	if err != nil {
		return err
	}
	buf = append(buf[:len(buf)+n], '}', '\n')
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	if err := syscall.Connect(fd, &syscall.SockaddrUnix{Name: socket}); err != nil {
		return err
	}
	if _, err := syscall.Write(fd, buf); err != nil {
		return err
	}
	n, err = syscall.Read(fd, buf[:cap(buf)])
	if err != nil {
		return err
	}
	_, err = syscall.Write(1, buf[:n])
	return err
}
