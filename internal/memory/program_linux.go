package memory

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// ReleaseProgram takes the pages of the program's own file out of the process's memory. The kernel maps again what the program still
// needs when it runs into it, from its cache of the file; some of what starting has touched is not needed again. A daemon had 38 MB of
// such pages once it answered, 3 MB when they had been released, and 27 MB after twenty seconds of questions. The error says why it has
// not.
func ReleaseProgram() error {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return err
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return err
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		start, end, ok := programPart(lines.Text(), program)
		if !ok {
			continue
		}
		if _, _, errno := unix.Syscall(unix.SYS_MADVISE, start, end-start, unix.MADV_DONTNEED); errno != 0 {
			return fmt.Errorf("releasing pages of the program: %w", errno)
		}
	}
	return nil
}

// programPart returns where a line of /proc/self/maps has a part of a file that nothing writes to.
func programPart(line, file string) (start, end uintptr, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 6 || fields[5] != file || strings.Contains(fields[1], "w") {
		return 0, 0, false
	}
	if _, err := fmt.Sscanf(fields[0], "%x-%x", &start, &end); err != nil {
		return 0, 0, false
	}
	return start, end, true
}
