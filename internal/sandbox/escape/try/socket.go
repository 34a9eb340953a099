//go:build linux

package main

import (
	"encoding/binary"
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

func sockets() map[string]attempt {
	return map[string]attempt{
		"connect": func(args []string) error {
			c, err := net.Dial(args[0], args[1])
			if err != nil {
				return err
			}
			defer c.Close()
			_, err = c.Write([]byte("hello\n"))
			return err
		},
		"socket": func(args []string) error {
			_, err := unix.Socket(number(args, 0), number(args, 1), number(args, 2))
			return err
		},
		"listeners": listeners,
		"links":     links,
	}
}

// listeners prints the ports that programs listen at, as the kernel's socket diagnosis tells them.
func listeners([]string) error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return err
	}
	request := make([]byte, 72) // a header of 16 bytes, and inet_diag_req_v2
	binary.NativeEndian.PutUint32(request[0:], uint32(len(request)))
	binary.NativeEndian.PutUint16(request[4:], 20) // SOCK_DIAG_BY_FAMILY
	binary.NativeEndian.PutUint16(request[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	request[16], request[17] = unix.AF_INET, unix.IPPROTO_TCP
	binary.NativeEndian.PutUint32(request[20:], 1<<10) // in state LISTEN
	if err := unix.Sendto(fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	return replies(fd, func(m []byte) { fmt.Println("port", binary.BigEndian.Uint16(m[16+4:])) })
}

// links prints the names of the network's interfaces.
func links([]string) error {
	all, err := net.Interfaces()
	for _, l := range all {
		if l.Flags&net.FlagLoopback == 0 {
			fmt.Println("through: interface", l.Name)
		}
	}
	if err == nil && len(all) <= 1 {
		err = unix.ENODEV
	}
	return err
}

// replies calls do with each message of an answer of netlink.
func replies(fd int, do func([]byte)) error {
	for {
		data := make([]byte, 64<<10)
		n, _, err := unix.Recvfrom(fd, data, 0)
		if err != nil {
			return err
		}
		for data = data[:n]; len(data) >= 16; {
			size := int(binary.NativeEndian.Uint32(data))
			switch kind := binary.NativeEndian.Uint16(data[4:]); {
			case kind == unix.NLMSG_DONE:
				return nil
			case kind == unix.NLMSG_ERROR:
				return unix.Errno(-int32(binary.NativeEndian.Uint32(data[16:])))
			case size < 16 || size > len(data):
				return unix.EBADMSG
			}
			do(data[:size])
			data = data[min((size+3)&^3, len(data)):]
		}
	}
}
