package quality

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed generic.txt
var generic string

// Generic returns prompts that say nothing that a memory could be about: half of them for fitting, the others for publishing.
func Generic(fitting bool) []string {
	return half(strings.Split(strings.TrimSpace(generic), "\n"), fitting)
}

// half returns every second text.
func half(texts []string, first bool) []string {
	var found []string
	for i, text := range texts {
		if (i%2 == 0) == first {
			found = append(found, text)
		}
	}
	return found
}

// NearMisses returns the questions of a dialogue about the people of another.
func NearMisses(of, about *Dialogue) []string {
	var swap []string
	for i, name := range of.People {
		swap = append(swap, name, about.People[i])
	}
	names := strings.NewReplacer(swap...)
	var prompts []string
	for _, q := range of.Questions {
		prompts = append(prompts, names.Replace(q.Text))
	}
	return prompts
}

// maxEntry bounds an entry of a changelog, in bytes: the rest is who reported it.
const maxEntry = 400

// Changelog returns the entries of the changelog of a module that this one requires, those about fsnotify for fitting and those about
// SQLite for publishing.
func Changelog(ctx context.Context, fitting bool) ([]string, error) {
	module := "modernc.org/sqlite"
	if fitting {
		module = "github.com/fsnotify/fsnotify"
	}
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return nil, fmt.Errorf("finding %s: %w", module, err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	return entries(string(data)), nil
}

// entries returns the items of the lists of a page, without links.
func entries(page string) []string {
	var found []string
	link := regexp.MustCompile(`\(\[#[^)]*\)|\[([^]]*)\](\([^)]*\))?`)
	open := false
	for line := range strings.Lines(page) {
		text := strings.TrimSpace(line)
		item, ok := strings.CutPrefix(text, "- ")
		switch {
		case ok && !strings.HasPrefix(item, "20"): // a release with its date
			found, open = append(found, item), true
		case ok || text == "" || strings.HasPrefix(text, "["):
			open = false
		case open:
			found[len(found)-1] += " " + text
		}
	}
	for i, text := range found {
		text = link.ReplaceAllString(text, "$1")
		found[i] = strings.ToValidUTF8(text[:min(len(text), maxEntry)], "")
	}
	return found
}
