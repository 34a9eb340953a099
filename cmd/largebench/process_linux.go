package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// A process is a line of the process table.
type process struct {
	pid, parent int
	ticks       int   // processor time so far, in hundredths of a second
	resident    int64 // bytes
	name        string
}

// nameIn returns the name of the program in a line of stat, which has it in parentheses.
func nameIn(stat []byte) string {
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return "?"
	}
	return string(stat[open+1 : end])
}

// processTable reads proc(5).
func processTable() map[int]process {
	table := map[int]process{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, path := range stats {
		data, err := os.ReadFile(path)
		fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
		if err != nil || len(fields) < 22 {
			continue // it has just ended
		}
		number := func(i int) int { n, _ := strconv.Atoi(string(fields[i])); return n } // each is one
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		table[pid] = process{pid, number(1), number(11) + number(12), int64(number(21)) * int64(os.Getpagesize()), nameIn(data)}
	}
	return table
}
