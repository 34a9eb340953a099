package credential

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of the search for .env files.
const (
	maxEntries = 10_000 // names of a directory that are looked at
	maxDotenv  = 32     // files that are read
)

// dotenv adds the secrets of a project's .env files, and of those that names names.
func (f *finder) dotenv(project string, names []string) {
	files, err := dotenvFiles(project)
	if err != nil {
		f.unread = append(f.unread, err)
	}
	for _, name := range names {
		if strings.Contains(name, "/") || strings.HasPrefix(name, ".") {
			if !filepath.IsAbs(name) {
				name = filepath.Join(project, name)
			}
			files = append(files, name)
		}
	}
	if len(files) > maxDotenv {
		f.unread = append(f.unread, fmt.Errorf("%d files of variables in %s are not read", len(files)-maxDotenv, project))
		files = files[:maxDotenv]
	}
	for _, file := range files {
		f.each(file, variables, isDotenvSecret)
	}
}

// dotenvFiles returns the .env files of a directory, but for those that are examples.
func dotenvFiles(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for .env files: %w", err)
	}
	defer d.Close()
	names, err := d.Readdirnames(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("looking for .env files: %w", err)
	}
	slices.Sort(names)
	var files []string
	for _, name := range names {
		if strings.HasPrefix(name, ".env") && !isExample(name) {
			files = append(files, filepath.Join(dir, name))
		}
	}
	if len(names) == maxEntries {
		return files, fmt.Errorf("looking for .env files: %s has more than %d entries", dir, maxEntries-1)
	}
	return files, nil
}

func isExample(name string) bool {
	for _, word := range [...]string{"example", "sample", "template", "dist", "default"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// isDotenvSecret reports whether a variable of a .env file is a secret. Such a file is made for secrets, so whatever chance has made
// counts: capitals, small letters and digits that form no words.
func isDotenvSecret(name, value string) bool {
	if isSecret(name, value) {
		return true
	}
	kinds := [other + 1]bool{}
	for _, r := range value {
		kinds[kindOf(r)] = true
	}
	return len(value) >= 2*minLength && kinds[lower] && kinds[upper] && kinds[digit] && !strings.ContainsAny(value, " \t\n:") &&
		!isPlain(value) && isRandom(value)
}

// variables finds the variables of a .env file: NAME=value, with or without export, the value plain, or within quotes over several
// lines.
func variables(text string, found func(name, value string)) {
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		name, value, is := strings.Cut(line, "=")
		name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "export "))
		if !is || name == "" || strings.HasPrefix(name, "#") {
			text = rest
			continue
		}
		value = strings.TrimLeft(value, " \t")
		if value == "" || !strings.ContainsAny(value[:1], "\"'`") {
			value, _, _ = strings.Cut(value, " #")
			found(name, strings.TrimSpace(value))
			text = rest
			continue
		}
		from := text[len(line)-len(value):]
		value, rest = unquote(from)
		found(name, value)
		text = rest
	}
}

// unquote returns the text within the quotes that a text begins with, and what follows its last line. Quotes that do not end
// end with the line.
func unquote(text string) (value, rest string) {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote:
			_, rest, _ = strings.Cut(text[i+1:], "\n")
			if value = text[1:i]; quote == '"' {
				value = strings.NewReplacer(`\n`, "\n", `\r`, "", `\t`, "\t", `\"`, `"`, `\\`, `\`, `\$`, `$`).Replace(value)
			}
			return value, rest
		}
	}
	value, rest, _ = strings.Cut(text[1:], "\n")
	return value, rest
}
