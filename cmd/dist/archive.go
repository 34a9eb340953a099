package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// writeTarball writes a compressed tarball whose entries lie below top. Nothing in it says who made it, when or where.
func writeTarball(path, top string, entries []entry, at time.Time) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	compressed, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	below := []entry{{name: top, mode: os.ModeDir | 0o755}}
	for _, e := range sorted(entries) {
		e.name = top + "/" + e.name
		below = append(below, e)
	}
	for _, e := range below {
		if err := writeEntry(archive, e, at); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

func writeEntry(archive *tar.Writer, e entry, at time.Time) error {
	header := &tar.Header{Name: e.name, Mode: int64(e.mode.Perm()), ModTime: at, Format: tar.FormatUSTAR}
	switch {
	case e.mode.IsDir():
		header.Typeflag, header.Name = tar.TypeDir, e.name+"/"
	case e.link != "":
		header.Typeflag, header.Linkname = tar.TypeSymlink, e.link
	default:
		header.Typeflag, header.Size = tar.TypeReg, int64(len(e.data))
	}
	if err := archive.WriteHeader(header); err != nil {
		return err
	}
	_, err := archive.Write(e.data)
	return err
}

// sumsName is the name of the file with the checksums, as sha256sum reads and writes it.
const sumsName = "SHA256SUMS"

// writeSums writes the checksums of all files in dir.
func writeSums(dir string) error {
	entries, err := os.ReadDir(dir) // sorted
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, e := range entries {
		if e.Name() == sumsName {
			continue
		}
		sum, err := sumOf(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		sums.WriteString(sum + "  " + e.Name() + "\n")
	}
	return os.WriteFile(filepath.Join(dir, sumsName), []byte(sums.String()), 0o644)
}

func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
