package memory

import (
	"bytes"
	"context"
	"os"
	"strconv"
)

// Resident returns the bytes of a process that are in memory, shared ones included. It is 0 if the process is gone,
// or nobody says.
func Resident(_ context.Context, pid int) int64 {
	resident, _ := pages(pid)
	return resident * int64(os.Getpagesize())
}

// Private returns those of them that belong to the process alone: without the pages of files, which are the program's and its libraries'.
func Private(_ context.Context, pid int) int64 {
	resident, shared := pages(pid)
	return (resident - shared) * int64(os.Getpagesize())
}

// pages reads the second and the third number of statm: pages in memory, and those of them that files back.
func pages(pid int) (resident, shared int64) {
	statm, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0, 0
	}
	fields := bytes.Fields(statm)
	if len(fields) < 3 {
		return 0, 0
	}
	resident, err = strconv.ParseInt(string(fields[1]), 10, 64)
	if err == nil {
		shared, err = strconv.ParseInt(string(fields[2]), 10, 64)
	}
	if err != nil {
		return 0, 0
	}
	return resident, shared
}
