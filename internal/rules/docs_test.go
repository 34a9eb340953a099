package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tidepool/lsp"
)

func readDoc(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// pages are all that people read, by their paths.
func pages(t *testing.T) []string {
	t.Helper()
	more, err := filepath.Glob("docs/*.md")
	if err != nil || len(more) == 0 {
		t.Fatal(more, err)
	}
	return append(more, "CLAUDE.md", "README.md")
}

// Figures, settings and everything that is not needed for a first answer have pages of their own.
func TestRuleReadmeIsShort(t *testing.T) {
	if n := len(readDoc(t, "README.md")); n > 8<<10 {
		t.Errorf("README.md has %d bytes, at most 8192", n)
	}
}

var pageLink = regexp.MustCompile(`\]\(([a-z./-]*\.md)?(?:#([^)]*))?\)`)

func TestRuleLinksBetweenPagesLead(t *testing.T) {
	for _, doc := range pages(t) {
		for _, match := range pageLink.FindAllStringSubmatch(readDoc(t, doc), -1) {
			to := doc
			if match[1] != "" {
				to = filepath.Join(filepath.Dir(doc), match[1])
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s: %v", doc, match[1], err)
			} else if match[2] != "" && !slices.Contains(anchors(readDoc(t, to)), match[2]) {
				t.Errorf("%s links to #%s of %s, which has no such heading", doc, match[2], to)
			}
		}
	}
}

// anchors are the names by which headings are linked to.
func anchors(page string) []string {
	var names []string
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		plain := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		names = append(names, strings.ReplaceAll(plain, " ", "-"))
	}
	return names
}

// CLAUDE.md is read often, so it is short.
func TestRuleContributorsPageIsShort(t *testing.T) {
	if n := strings.Count(readDoc(t, "CLAUDE.md"), "\n"); n > 80 {
		t.Errorf("CLAUDE.md has %d lines, at most 80", n)
	}
}

var quotedPath = regexp.MustCompile("`([a-zA-Z0-9_.-]+/[a-zA-Z0-9_./-]*|[A-Za-z0-9_-]+\\.(?:md|go|json|yaml))`")

func TestRulePathsNamedInDocsExist(t *testing.T) {
	made := regexp.MustCompile(`^(bin/|\.cargo/|\.tidepool/|\.claude/|\.codex/|\.gemini/|\.cursor/|opencode\.json|\.mcp\.json|/)`) // by a build, a daemon or the user
	var markers []string                                                                                                           // of the user's projects
	for _, language := range lsp.Languages() {
		markers = append(markers, language.RootMarkers...)
	}
	for _, doc := range pages(t) {
		for _, match := range quotedPath.FindAllStringSubmatch(readDoc(t, doc), -1) {
			if made.MatchString(match[1]) || slices.Contains(markers, match[1]) {
				continue
			}
			if _, err := os.Stat(match[1]); err != nil {
				t.Errorf("%s names `%s`, which does not exist", doc, match[1])
			}
		}
	}
}

func TestRuleMakeTargetsNamedInDocsExist(t *testing.T) {
	makefile := readDoc(t, "Makefile")
	command := regexp.MustCompile("(?m)(?:^ *|`)make ([a-z/ -]+)") // a line of its own, or quoted
	for _, doc := range append(pages(t), ".ci/run") {
		for _, match := range command.FindAllStringSubmatch(readDoc(t, doc), -1) {
			for target := range strings.FieldsSeq(match[1]) {
				if !strings.Contains(makefile, "\n"+target+":") {
					t.Errorf("%s says make %s, which is no target", doc, target)
				}
			}
		}
	}
}

// The README's test command is the one that CI runs.
func TestRuleCIRunsTheTestCommand(t *testing.T) {
	for _, doc := range []string{".ci/run", "README.md"} {
		if !strings.Contains(readDoc(t, doc), "make test") {
			t.Errorf("%s does not say make test", doc)
		}
	}
}
