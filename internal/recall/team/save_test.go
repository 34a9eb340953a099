package team

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tidepool/internal/recall/memory"
	"tidepool/internal/scrub"
)

// offline returns a team whose database is not asked.
func offline(t testing.TB, limit time.Duration) *Team {
	t.Helper()
	s, err := scrub.New(scrub.Options{Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	return &Team{options: Options{Author: "maria", Scrub: s, Now: time.Now}}
}

func TestSecretsStayHere(t *testing.T) {
	const secret = "ghp_x7Kq2mW9pL4vR8tN3bY6cZ1dF5gH0jS2aQ4e"
	team := offline(t, 0)
	m, found, err := team.row(memory.Project{Key: "k", Name: "harbor " + secret, Path: "/home/maria/harbor"}, memory.Draft{
		Content: "Use " + secret + " for releases.", Gist: "token " + secret, Tags: []string{secret}, Source: secret, Commit: secret, Session: secret,
		Files: []string{"/home/maria/harbor/web/a.go", "/home/maria/private.txt", "../up.go", "web/b.go", secret},
	})
	if err != nil || !slices.Equal(found, []string{"github-pat"}) {
		t.Fatal(found, err)
	}
	for _, text := range slices.Concat([]string{m.Gist, m.Content, m.Source, m.Commit, m.Session, m.Project.Name}, m.Tags, m.Files) {
		if strings.Contains(text, secret) || strings.Contains(text, "/home") {
			t.Errorf("%q", text)
		}
	}
	if m.Project.Path != "" || !slices.Equal(m.Files[:2], []string{"web/a.go", "web/b.go"}) {
		t.Errorf("%+v", m)
	}
	if _, _, err := offline(t, 1).row(memory.Project{}, memory.Draft{Content: strings.Repeat("password = x7Kq2mW9pL4v\n", 1000)}); !errors.As(err, new(*WithheldError)) {
		t.Error(err)
	}
}

// Whatever a draft has, its row has the limits of the table, and PostgreSQL takes its texts.
func TestRowsAreBounded(t *testing.T) {
	team := offline(t, 0)
	texts := rapid.OneOf(rapid.String(), rapid.Map(rapid.String(), func(s string) string { return strings.Repeat(s+"\x00\xff\n", 500) }))
	rapid.Check(t, func(t *rapid.T) {
		d := memory.Draft{
			Gist: texts.Draw(t, "gist"), Content: texts.Draw(t, "content"), Session: texts.Draw(t, "session"),
			Tags: rapid.SliceOfN(texts, 0, 40).Draw(t, "tags"), Files: rapid.SliceOfN(texts, 0, 40).Draw(t, "files"),
		}
		m, _, err := team.row(memory.Project{Name: texts.Draw(t, "project")}, d)
		if err != nil {
			return // it is empty, or was withheld
		}
		for text, most := range map[string]int{m.Gist: memory.MaxGist, m.Content: memory.MaxContent, m.Session: maxName, m.Project.Name: maxName} {
			if utf8.RuneCountInString(text) > most || !utf8.ValidString(text) || strings.Contains(text, "\x00") {
				t.Errorf("%q", text)
			}
		}
		if len(m.Tags) > maxLabels || len(m.Files) > maxLabels || m.Tags == nil || m.Files == nil || strings.Contains(m.Gist, "\n") || m.Content == "" {
			t.Errorf("%+v", m)
		}
	})
}
