package knownitem

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"tidepool/internal/git"
	"tidepool/internal/wording"
)

const (
	// historyCommits is how many commits History reads, from the first one on, so that a set stays what it is while the history grows.
	historyCommits = 760
	// maxCode is how much of a change a turn shows, in bytes: a model's answer quotes some of it, and not all.
	maxCode = 2000
	// minQueries is below how many queries a share says little.
	minQueries = 200
)

// History returns the set of the repository at dir.
func History(ctx context.Context, dir string) (Set, error) {
	cmd := exec.CommandContext(ctx, "git", append(git.Harmless(), "log", "--reverse", "--no-merges", "--unified=0", "--no-renames", "--no-color",
		"--no-ext-diff", "--no-textconv", "--patch", "--format=%x01%s%x02%b%x02")...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return Set{}, fmt.Errorf("reading the history of %s: %w: %s", dir, err, wording.Line(stderr.String(), 200))
	}
	set := Set{Name: "commits"}
	for i, commit := range strings.Split(string(out), "\x01") {
		if subject, rest, ok := strings.Cut(commit, "\x02"); ok && i <= historyCommits {
			set.add(subject, rest)
		}
	}
	if len(set.Queries) < minQueries {
		return Set{}, fmt.Errorf("the history of %s has %d commits with a message to look for, and %d are needed: fetch all of it", dir, len(set.Queries), minQueries)
	}
	return set, nil
}

// add adds a commit. One without a body has nothing that a person could have said: it is a turn, and no query asks for it.
func (s *Set) add(subject, rest string) {
	body, patch, _ := strings.Cut(rest, "\x02")
	var t Turn
	t.Prompt, t.Prose = firstSentence(strings.Join(strings.Fields(body), " "))
	t.Files, t.Code = changed(patch)
	if _, words, ok := strings.Cut(subject, ": "); ok && t.Prompt != "" {
		n := len(s.Queries)
		s.Queries = append(s.Queries, Query{Text: words, Turn: len(s.Turns), Tuning: n%2 == 0})
	}
	s.Turns = append(s.Turns, t)
}

func firstSentence(text string) (first, rest string) {
	if i := strings.Index(text, ". "); i >= 0 {
		return text[:i+1], text[i+2:]
	}
	return text, ""
}

// changed returns the files of a patch, and the beginning of what it adds.
func changed(patch string) (files []string, code string) {
	var added strings.Builder
	for line := range strings.Lines(patch) {
		if name, ok := strings.CutPrefix(line, "diff --git a/"); ok {
			name, _, _ = strings.Cut(name, " b/")
			files = append(files, name)
			continue
		}
		text, ok := strings.CutPrefix(line, "+")
		if ok && !strings.HasPrefix(text, "++ ") && added.Len()+len(text) <= maxCode {
			added.WriteString(text)
		}
	}
	return files, added.String()
}
