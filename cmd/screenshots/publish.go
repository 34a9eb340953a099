package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	uv "github.com/charmbracelet/ultraviolet"

	"tidepool/internal/screen/svg"
)

// publish writes both pictures of a shot into a directory, and says what it did.
func publish(out io.Writer, dir string, s shot, screen *uv.Buffer) error {
	for _, look := range []struct {
		name  string
		theme svg.Theme
	}{{"light", svg.Light()}, {"dark", svg.Dark()}} {
		name := s.name + "-" + look.name + ".svg"
		written, err := write(filepath.Join(dir, name), svg.Draw(screen, look.theme, s.title))
		if err != nil {
			return err
		}
		if written {
			fmt.Fprintf(out, "made docs/%s\n", name)
		} else {
			fmt.Fprintf(out, "docs/%s shows the same already\n", name)
		}
	}
	return nil
}

// write replaces a picture unless it shows the same apart from times.
func write(path, picture string) (written bool, err error) {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err == nil && timeless(string(old)) == timeless(picture) {
		return false, nil
	}
	return true, os.WriteFile(path, []byte(picture), 0o644)
}

// timeless returns a picture without its times, and without the widths of the runs, which depend on them.
func timeless(picture string) string {
	for _, changing := range []string{`\d\d:\d\d:\d\d`, `\d+(\.\d+)? ?m?s\b`, ` textLength="[0-9.]+"`} {
		picture = regexp.MustCompile(changing).ReplaceAllString(picture, "")
	}
	return picture
}
