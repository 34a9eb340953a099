package recorded

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"golang.org/x/tools/txtar"
)

// Case is a project with a command that fails in it.
type Case struct {
	Name  string   // program and number: "go-test-3"
	Run   string   // for sh -c, in the project
	Look  []string // parts of lines of the output
	Files []File   // in the order of the archive
}

// File is a file of a project.
type File struct {
	Path string // relative
	Text string
}

// Program returns which program a case is about: its name without the number.
func (c Case) Program() string { return c.Name[:strings.LastIndexByte(c.Name, '-')] }

// IsKept reports whether a case is kept apart from those with which formats are written.
func (c Case) IsKept() bool { return strings.ContainsRune("02468", rune(c.Name[len(c.Name)-1])) }

// Cases reads the cases below a directory, in the order of their names.
func Cases(dir string) ([]Case, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "cases", "*.txtar"))
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, path := range paths {
		c, err := readCase(path)
		if err != nil {
			return nil, fmt.Errorf("reading the case %s: %w", path, err)
		}
		all = append(all, c)
	}
	return all, nil
}

func readCase(path string) (Case, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return Case{}, err
	}
	c := Case{Name: strings.TrimSuffix(filepath.Base(path), ".txtar")}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch key {
		case "run":
			c.Run = value
		case "look":
			c.Look = append(c.Look, value)
		}
	}
	for _, file := range archive.Files {
		files, err := expand(file.Name, string(file.Data))
		if err != nil {
			return Case{}, err
		}
		c.Files = append(c.Files, files...)
	}
	return c, nil
}

// expand returns the files that a file of an archive stands for.
func expand(name, text string) ([]File, error) {
	numbers := []int{0}
	span := regexp.MustCompile(`\{(\d+)\.\.(\d+)\}`)
	if ends := span.FindStringSubmatch(name); ends != nil {
		first, _ := strconv.Atoi(ends[1])
		last, _ := strconv.Atoi(ends[2])
		numbers = seq(first, last)
	}
	var files []File
	for _, n := range numbers {
		t, err := template.New(name).Delims("<%", "%>").Funcs(template.FuncMap{"seq": seq, "n": func() int { return n }}).Parse(text)
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		if err := t.Execute(&b, nil); err != nil {
			return nil, err
		}
		files = append(files, File{span.ReplaceAllLiteralString(name, strconv.Itoa(n)), b.String()})
	}
	return files, nil
}

func seq(first, last int) []int {
	return slices.Collect(func(yield func(int) bool) {
		for n := first; n <= last && yield(n); n++ {
		}
	})
}
