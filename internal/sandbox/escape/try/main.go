//go:build linux

// Command try makes one system call that a sandbox must refuse, and prints what the kernel answered. The tests of the sandbox run it
// inside, and outside to see that the same call succeeds there.
//
// It prints "through: NAME" if the call succeeded and "stopped: ERROR" if it was refused. Some attempts print what they have read
// instead, which a test finds by its value.
package main

import (
	"fmt"
	"maps"
	"os"
	"strconv"
	"strings"
)

// An attempt makes its call. No error: the kernel let it through.
type attempt func(args []string) error

func main() {
	if len(os.Args) < 2 || attempts()[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: try NAME ARGUMENT…")
		os.Exit(2)
	}
	os.Exit(run(os.Args[1], os.Args[2:]))
}

func run(name string, args []string) int {
	if err := attempts()[name](args); err != nil {
		fmt.Println("stopped:", err)
		return 1
	}
	fmt.Println("through:", name, strings.Join(args, " "))
	return 0
}

func attempts() map[string]attempt {
	all := map[string]attempt{}
	for _, some := range []map[string]attempt{namespaces(), mounts(), kernel(), processes(), shared(), sockets(), files(), loads()} {
		maps.Copy(all, some)
	}
	return all
}

// number returns a decimal argument; 0 if it is missing or none, which no attempt accepts.
func number(args []string, i int) int {
	if i >= len(args) {
		return 0
	}
	n, err := strconv.ParseInt(args[i], 0, 64)
	if err != nil {
		return 0
	}
	return int(n)
}
