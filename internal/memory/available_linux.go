package memory

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// Available returns MemAvailable of /proc/meminfo, or less if a control group that the process is in leaves it less. The error
// says why nothing is known.
func Available() (Room, error) { return availableIn(os.DirFS("/")) }

// availableIn is Available for the files below root.
func availableIn(root fs.FS) (Room, error) {
	free, err := memAvailable(root)
	if err != nil {
		return Room{}, err
	}
	room := Room{Bytes: free, From: "MemAvailable of /proc/meminfo"}
	groups, err := controlGroups(root)
	if err != nil {
		room.Doubts = append(room.Doubts, "limits of control groups are not known: "+err.Error())
	}
	for _, g := range groups {
		left, from, err := g.left(root)
		switch {
		case err != nil:
			room.Doubts = append(room.Doubts, "a limit is not known: "+err.Error())
		case from != "" && left < room.Bytes:
			room.Bytes, room.From = left, from
		}
	}
	return room, nil
}

// memAvailable returns what the kernel estimates that new programs can have without swapping. Linux has told it since 3.14.
func memAvailable(root fs.FS) (int64, error) {
	text, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[0] != "MemAvailable:" || fields[2] != "kB" {
			continue
		}
		kilobytes, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			return 0, fmt.Errorf("reading MemAvailable of /proc/meminfo: %w", err)
		}
		return kilobytes << 10, nil
	}
	return 0, errors.New("/proc/meminfo has no MemAvailable")
}

// readNumber returns the bytes that a file of one number holds. ok is false if the file is not there, or holds "max".
func readNumber(root fs.FS, path string) (n int64, ok bool, err error) {
	text, err := fs.ReadFile(root, path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	word := string(bytes.TrimSpace(text))
	if word == "max" {
		return 0, false, nil
	}
	if n, err = strconv.ParseInt(word, 10, 64); err != nil {
		return 0, false, fmt.Errorf("reading /%s: %w", path, err)
	}
	return n, true, nil
}
