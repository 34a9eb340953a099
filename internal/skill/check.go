package skill

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"tidepool/internal/wording"
)

// Limits of what is written. They are those of the format of skills, which Claude Code does not enforce for its own.
const (
	maxName        = 64   // characters
	maxDescription = 1024 // characters
)

// CheckName returns why a new document cannot have a name; nil if it can.
func CheckName(kind Kind, name string) error {
	switch {
	case len(name) > maxName || !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(name):
		return &Error{fmt.Sprintf("%q is no name of a new %s", wording.Line(wording.Visible(name), 80), kind),
			fmt.Sprintf("use at most %d lower-case letters and digits, with single hyphens between them: review-sql", maxName)}
	case kind == Skill && name == "synced":
		return &Error{"Claude Code keeps the name synced for itself", "choose another name"}
	}
	return nil
}

// Check returns why a document is not written; nil if it is. It is stricter than Claude Code, which loads documents with many problems.
func (d Document) Check() error {
	if len(d.Problems) > 0 {
		return &Error{"Claude Code would not read it as it is meant: " + strings.Join(d.Problems, "; "), "change these fields"}
	}
	if n := utf8.RuneCountInString(d.Front.Text("description")); n > maxDescription {
		return &Error{fmt.Sprintf("the description has %d characters, at most %d are written", n, maxDescription), "say in it when to use this; the rest belongs into the text"}
	}
	if strings.TrimSpace(d.Body) == "" {
		return &Error{fmt.Sprintf("the %s has no text", d.Kind), "say what is to be done"}
	}
	if seen := wording.Visible(strings.ReplaceAll(d.Text, "\t", " ")); seen != strings.ReplaceAll(d.Text, "\t", " ") {
		return &Error{"the text contains control characters, or some that a reader does not see", "leave them out"}
	}
	return nil
}

// check returns what Claude Code would ignore, or why it would not load the document.
func (d Document) check() (problems []string) {
	add := func(bad bool, format string, args ...any) {
		if bad {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	one := func(key string, of ...string) {
		value := d.Front.Text(key)
		add(value != "" && !slices.Contains(of, strings.ToLower(value)) && !slices.Contains(of, value),
			"%s is %s, not one of %s", key, wording.Stored(value, 40), strings.Join(of, ", "))
	}
	add(d.Front.Text("description") == "", "it has no description, by which it is found")
	if !isNumber(d.Front.Text("effort")) {
		one("effort", "low", "medium", "high", "xhigh", "max")
	}
	add(!isModel(d.Front.Text("model")), "model is no name of a model")
	add(!utf8.ValidString(d.Text), "it is not UTF-8")
	if d.Kind == Skill {
		one("context", "inline", "fork")
		add(d.Name == "synced" || !isShown(d.Name), "its directory has a name that Claude Code does not offer")
		return problems
	}
	name := d.Front.Text("name")
	add(name == "", "it has no name, so it is not loaded")
	add(strings.HasPrefix(name, "-") || !isShown(name) && name != "" || strings.Contains(norm.NFKC.String(name), ":"),
		"its name begins with a hyphen, contains a colon, hidden characters, < or >, or has more than %d characters: it is not loaded", mostShown)
	one("permissionMode", "default", "acceptEdits", "auto", "bypassPermissions", "dontAsk", "plan")
	one("memory", "user", "project", "local")
	one("isolation", "worktree", "remote")
	one("background", "true", "false")
	add(d.Front.Text("maxTurns") != "" && !isNumber(d.Front.Text("maxTurns")), "maxTurns is no positive number")
	return problems
}

// mostShown is how long a name may be that Claude Code shows, in characters.
const mostShown = 256

// isShown reports whether Claude Code shows a name.
func isShown(name string) bool {
	return name != "" && utf8.RuneCountInString(name) <= mostShown && name == strings.TrimSpace(name) && !strings.ContainsAny(name, "<>\n") && name == wording.Visible(name)
}

func isNumber(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n > 0
}

// isModel reports whether a text can be the name of a model, or is empty.
func isModel(text string) bool {
	return regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._:/@\[\]-]{0,99})?$`).MatchString(text)
}
