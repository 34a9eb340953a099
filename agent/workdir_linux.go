package main

import (
	"os"
	"syscall"
)

// workdir is os.Getwd for paths that are not very long, without its look at
// $PWD and without a buffer of 4 KiB, which would make the stack grow: 5 % of
// the time of a hook.
func workdir() (string, error) {
	var buf [512]byte
	n, err := syscall.Getcwd(buf[:])
	if err != nil || n < 2 || buf[0] != '/' { // longer than that, or out of reach
		return os.Getwd()
	}
	return string(buf[:n-1]), nil
}
