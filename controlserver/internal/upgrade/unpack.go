package upgrade

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	maxProgram  = 512 << 20 // bytes of one program
	maxUnpacked = 1 << 30   // bytes of everything in a tarball

	// describeLimit is how long a new program may take to print its version.
	describeLimit = 20 * time.Second
	maxDescribed  = 4 << 10 // bytes of that
)

// unpack writes both programs of a tarball beside the installed ones, and returns the names of those files, by program. It writes
// nothing else, wherever the tarball's names lead. What it has written is returned with an error too.
func (i *installation) unpack(tarball string) (fresh map[string]string, err error) {
	fresh = map[string]string{}
	f, err := os.Open(tarball)
	if err != nil {
		return fresh, err
	}
	defer f.Close()
	compressed, err := gzip.NewReader(f)
	if err != nil {
		return fresh, unreadable(err)
	}
	whole := &io.LimitedReader{R: compressed, N: maxUnpacked}
	archive := tar.NewReader(whole)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fresh, unreadable(err)
		}
		if name := path.Base(header.Name); isProgram(header) && fresh[name] == "" {
			if fresh[name], err = i.write(name, archive); err != nil {
				return fresh, err
			}
		}
	}
	if _, err := io.Copy(io.Discard, whole); err != nil { // its end has the checksum of gzip
		return fresh, unreadable(err)
	}
	for _, name := range programNames() {
		if fresh[name] == "" {
			return fresh, &upgradeError{"there is no bin/" + name + " in the tarball", "name the tarball of a release for this machine"}
		}
	}
	return fresh, nil
}

func unreadable(err error) error {
	return &upgradeError{"the tarball cannot be read: " + err.Error(), "name the tarball of a release: tidepool-VERSION-SYSTEM-ARCHITECTURE.tar.gz"}
}

// isProgram reports whether an entry is TOP/bin/agent or TOP/bin/controlserver.
func isProgram(h *tar.Header) bool {
	parts := strings.Split(h.Name, "/")
	return h.Typeflag == tar.TypeReg && len(parts) == 3 && parts[1] == "bin" && slices.Contains(programNames(), parts[2])
}

// write copies a program into a new file in the directory, and returns its name.
func (i *installation) write(program string, from io.Reader) (string, error) {
	f, err := i.create("new-" + program)
	if err != nil {
		return "", i.unwritable(err)
	}
	name := filepath.Base(f.Name())
	n, err := io.Copy(f, io.LimitReader(from, maxProgram+1))
	if err == nil {
		err = errors.Join(f.Chmod(0o755), f.Sync())
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return name, unreadable(err)
	case err != nil:
		return name, i.unwritable(err)
	case n > maxProgram:
		return name, &upgradeError{fmt.Sprintf("%s has more than %d MiB", program, maxProgram>>20), "name the tarball of a release"}
	}
	return name, nil
}

// discard removes the files that unpack has written, those that have become programs excepted: their names are gone.
func (i *installation) discard(fresh map[string]string) {
	for _, name := range fresh {
		if name != "" {
			_ = i.root.Remove(name)
		}
	}
}

// describe runs both fresh programs, and returns their version and commit: they run on this machine, and belong together.
func (i *installation) describe(ctx context.Context, fresh map[string]string) (string, error) {
	var releases []string
	for _, name := range programNames() {
		said, err := describe(ctx, i.path(fresh[name]))
		release, ok := strings.CutPrefix(said, name+" ")
		if err != nil || !ok {
			return "", &upgradeError{
				fmt.Sprintf("the new %s does not run on this machine: %v %s", name, err, said),
				"take the tarball for this system and architecture",
			}
		}
		release, _, _ = strings.Cut(release, ", ") // 0.2.0 (commit 0123456789ab
		releases = append(releases, strings.Replace(release, " (commit ", ", commit ", 1))
	}
	if releases[0] != releases[1] {
		return "", &upgradeError{
			fmt.Sprintf("the programs of the tarball do not belong together: %s %s, %s %s", programNames()[0], releases[0], programNames()[1], releases[1]),
			"name the tarball of a release",
		}
	}
	return releases[0], nil
}

// describe returns the first line that a program prints of its version.
func describe(ctx context.Context, program string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, describeLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	line, _, _ := strings.Cut(string(out[:min(len(out), maxDescribed)]), "\n")
	return line, err
}
