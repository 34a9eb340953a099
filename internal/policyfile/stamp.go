package policyfile

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// Stamp returns a text that differs when a directory or one of its files was changed.
func Stamp(dirs []Dir) string {
	var b strings.Builder
	for _, d := range dirs {
		info, err := os.Stat(d.Path)
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", d.Path, err)
			continue
		}
		describe(&b, d.Path, info)
		files, closeDir, err := d.open()
		if err != nil {
			fmt.Fprintf(&b, "%v\n", err)
			continue
		}
		for _, f := range files {
			describe(&b, f.path, f.info)
		}
		_ = closeDir() // nothing was written
	}
	return b.String()
}

func describe(b *strings.Builder, path string, info fs.FileInfo) {
	inode, uid := uint64(0), uint32(0)
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		inode, uid = stat.Ino, stat.Uid
	}
	fmt.Fprintf(b, "%s %d %d %d %d %v\n", path, info.Size(), info.ModTime().UnixNano(), inode, uid, info.Mode())
}
