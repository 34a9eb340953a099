package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A process is one that runs a program of the fixture.
type process struct {
	pid, parent int
	name        string // of the program
}

// processes finds who runs the programs of the fixture. The dead that nobody has
// waited for do not count.
func (f *fixture) processes() ([]process, error) {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil, err
	}
	var found []process
	for _, dir := range dirs {
		program, err := os.Readlink(filepath.Join(dir, "exe"))
		if err != nil || filepath.Dir(program) != f.bin {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			return nil, err
		}
		if parent, err := parentOf(pid); err == nil { // else it has ended meanwhile
			found = append(found, process{pid, parent, filepath.Base(program)})
		}
	}
	return found, nil
}

func parentOf(pid int) (int, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	var state string
	var parent int
	_, rest, _ := strings.Cut(string(stat), ") ")
	_, err = fmt.Sscan(rest, &state, &parent)
	return parent, err
}

// descriptors names what a process has open.
func descriptors(pid int) ([]string, error) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var fds []string
	for _, entry := range entries {
		if name, err := os.Readlink(filepath.Join(dir, entry.Name())); err == nil { // else it is closed again
			fds = append(fds, name)
		}
	}
	return fds, nil
}
