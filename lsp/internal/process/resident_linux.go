package process

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
)

// Resident returns the bytes that the processes of each process group occupy, by the id of the group. A page that processes share
// counts for each of them.
func Resident(context.Context) map[int]int64 {
	all := map[int]int64{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, stat := range stats {
		data, err := os.ReadFile(stat)
		if err != nil {
			continue // it has just ended
		}
		if group, pages, ok := groupAndPages(data); ok {
			all[group] += pages * int64(os.Getpagesize())
		}
	}
	return all
}

// groupAndPages reads the fields pgrp (5) and rss (24) of proc_pid_stat(5). The second field is the program's name in
// parentheses, which may hold anything.
func groupAndPages(stat []byte) (group int, pages int64, ok bool) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // from the third on
	if len(fields) < 22 {
		return 0, 0, false
	}
	group, err := strconv.Atoi(string(fields[2]))
	if err != nil {
		return 0, 0, false
	}
	pages, err = strconv.ParseInt(string(fields[21]), 10, 64)
	return group, pages, err == nil
}
