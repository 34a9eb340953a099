package main

import (
	"encoding/xml"
	"errors"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"tidepool/internal/daemontest"
	"tidepool/internal/screen/svg"
	"tidepool/lsp/lsptest"
)

const mostBytes = 30_000 // of a picture

func TestMain(m *testing.M) {
	lsptest.Main()
	os.Exit(m.Run())
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// pictures returns the paths of a shot's pictures, and what they hold.
func pictures(t *testing.T, s shot) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, suffix := range []string{"light", "dark"} {
		path := "docs/" + s.name + "-" + suffix + ".svg"
		all[path] = read(t, path)
	}
	return all
}

// words returns the text of a picture, a line for each of its elements. Bad XML fails the test.
func words(t *testing.T, path, picture string) string {
	t.Helper()
	var all strings.Builder
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all.String()
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if name := token.Name.Local; name == "script" || name == "image" || name == "a" {
				t.Errorf("%s has an element %s", path, name)
			}
		case xml.CharData:
			all.Write(token)
		}
	}
}

// Nothing in a picture is of the machine that it was taken on.
func TestPicturesAreOfNoMachine(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	for _, shot := range shots() {
		for path, picture := range pictures(t, shot) {
			text := words(t, path, picture)
			for _, place := range []string{home + "/", os.TempDir(), "/tmp/", "/home/", "/root/", "screenshots"} {
				if strings.Contains(text, place) {
					t.Errorf("%s holds %s", path, place)
				}
			}
			if len(picture) > mostBytes {
				t.Errorf("%s has %d bytes, at most %d", path, len(picture), mostBytes)
			}
		}
	}
}

// The README shows all pictures, and says of them what is on them.
func TestTheReadmeShowsThePictures(t *testing.T) {
	readme := read(t, "README.md")
	for _, shot := range shots() {
		for _, want := range []string{
			`<source media="(prefers-color-scheme: dark)" srcset="docs/` + shot.name + `-dark.svg">`,
			`<img src="docs/` + shot.name + `-light.svg" alt="` + shot.title + `">`,
		} {
			if !strings.Contains(readme, want) {
				t.Errorf("the README has no %s", want)
			}
		}
		for path, picture := range pictures(t, shot) {
			_, body, _ := strings.Cut(picture, "</title>")
			if !strings.Contains(picture, "<title>"+html.EscapeString(shot.title)+"</title>") {
				t.Errorf("%s has another title than %q", path, shot.title)
			}
			for _, part := range regexp.MustCompile(`'([^']*)'`).FindAllStringSubmatch(shot.title, -1) {
				if !strings.Contains(html.UnescapeString(body), part[1]) {
					t.Errorf("%s does not show %q", path, part[1])
				}
			}
		}
	}
}

// TestPicturesShowWhatProgramsPrint plays the shots again, with the programs of this commit.
func TestPicturesShowWhatProgramsPrint(t *testing.T) {
	bin := t.TempDir()
	if err := daemontest.Build(bin); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(lsptest.Program(t, "gopls"))+string(filepath.ListSeparator)+os.Getenv("PATH"))
	err := take(t.Context(), bin, func(s shot, screen *uv.Buffer) error {
		path := "docs/" + s.name + "-dark.svg"
		shown, now := words(t, path, timeless(read(t, path))), words(t, path, timeless(svg.Draw(screen, svg.Dark(), s.title)))
		if shown != now {
			t.Errorf("%s is not what the programs print: run make screenshots. It shows:\n%s\nThey print:\n%s", path, shown, now)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
