package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const (
	restLook  = 500 * time.Millisecond
	restTicks = 2 // of 10 ms, that a server at rest takes between two looks
	restLimit = time.Minute
)

// rests waits until process groups have nothing to do of their own: a server goes on for seconds after it has said that
// it is ready, and who was started last would be measured at it. Where there is no proc(5) it does not wait.
func rests(ctx context.Context, groups ...int) error {
	before := groupTicks()
	for giveUp := time.Now().Add(restLimit); time.Now().Before(giveUp); {
		select {
		case <-time.After(restLook):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		now, busy := groupTicks(), false
		for _, group := range groups {
			busy = busy || now[group]-before[group] > restTicks
		}
		if !busy {
			return nil
		}
		before = now
	}
	return fmt.Errorf("a server is still at work after %v", restLimit)
}

// groupTicks returns the processor time of each process group, in hundredths of a second.
func groupTicks() map[int]int {
	all := map[int]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, path := range stats {
		data, err := os.ReadFile(path)
		fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
		if err != nil || len(fields) < 13 {
			continue // it has just ended
		}
		group, _ := strconv.Atoi(string(fields[2]))
		user, _ := strconv.Atoi(string(fields[11]))
		system, _ := strconv.Atoi(string(fields[12]))
		all[group] += user + system
	}
	return all
}
