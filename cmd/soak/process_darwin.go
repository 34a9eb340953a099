package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A process is one that runs a program of the fixture.
type process struct {
	pid, parent int
	name        string // of the program
}

// processes finds who runs the programs of the fixture.
func (f *fixture) processes() ([]process, error) {
	out, err := exec.Command("ps", "-axo", "pid=,ppid=,comm=").Output()
	if err != nil {
		return nil, fmt.Errorf("ps: %w", err)
	}
	var found []process
	for line := range strings.Lines(string(out)) {
		var p process
		if _, err := fmt.Sscan(line, &p.pid, &p.parent, &p.name); err == nil && filepath.Dir(p.name) == f.bin {
			p.name = filepath.Base(p.name)
			found = append(found, p)
		}
	}
	return found, nil
}

// descriptors names what a process has open.
func descriptors(pid int) ([]string, error) {
	out, err := exec.Command("lsof", "-a", "-d", "0-9999", "-p", strconv.Itoa(pid), "-F", "n").Output()
	if err != nil {
		return nil, fmt.Errorf("lsof: %w", err)
	}
	var fds []string
	for line := range strings.Lines(string(out)) {
		if name, found := strings.CutPrefix(strings.TrimSpace(line), "n"); found {
			fds = append(fds, name)
		}
	}
	return fds, nil
}
