package process

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
)

// processes returns those that /proc shows.
func processes(context.Context) []usage {
	var all []usage
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, stat := range stats {
		data, err := os.ReadFile(stat)
		if err != nil {
			continue // it has just ended
		}
		if p, ok := parseStat(data); ok {
			all = append(all, p)
		}
	}
	return all
}

// parseStat reads the fields pid (1), comm (2), ppid (4), pgrp (5) and rss (24) of proc_pid_stat(5). The second field is the
// program's name in parentheses, which may hold anything.
func parseStat(stat []byte) (usage, bool) {
	begin, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if begin < 0 || end < begin {
		return usage{}, false
	}
	p := usage{name: string(stat[begin+1 : end])}
	fields := bytes.Fields(stat[end+1:]) // from the third on
	if len(fields) < 22 {
		return usage{}, false
	}
	pages := 0
	for _, number := range []struct {
		text []byte
		into *int
	}{{bytes.TrimSpace(stat[:begin]), &p.pid}, {fields[1], &p.parent}, {fields[2], &p.group}, {fields[21], &pages}} {
		n, err := strconv.Atoi(string(number.text))
		if err != nil {
			return usage{}, false
		}
		*number.into = n
	}
	p.bytes = int64(pages) * int64(os.Getpagesize())
	return p, true
}

// itself is how a program runs itself again; its processes are then called by the last element.
const itself = "/proc/self/exe"

// nameOf returns the name of a process's program. One of the program self itself has its first argument behind that, which tells what it
// does.
func nameOf(p usage, self string) string {
	if p.name != self && p.name != filepath.Base(itself) {
		return p.name
	}
	line, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/cmdline")
	if err != nil {
		return p.name
	}
	arguments := bytes.Split(line, []byte{0}) // the last one is empty
	if len(arguments) < 3 || p.name != self && string(arguments[0]) != itself {
		return p.name
	}
	first := arguments[1]
	return self + " " + string(first[:min(len(first), argumentShown)])
}

// argumentShown is how many bytes of an argument are shown.
const argumentShown = 32
