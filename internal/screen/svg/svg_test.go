package svg

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"tidepool/internal/screen"
)

// cells returns a screen of 20 columns after a program has written a text.
func cells(text string) *uv.Buffer {
	s := screen.New(20, 5)
	defer s.Close()
	s.Print(text)
	return s.Cells()
}

// body returns what is drawn below the window's frame.
func body(picture string) []string {
	_, picture, _ = strings.Cut(picture, "<g ")
	lines := strings.Split(picture, "\n")
	return lines[1 : len(lines)-3]
}

func TestRuns(t *testing.T) {
	const line = ` lengthAdjust="spacingAndGlyphs"`
	for name, test := range map[string]struct {
		written string
		want    []string
	}{
		"plain":           {"one two", []string{`<text x="16" y="48.5" textLength="58.8"` + line + `>one two</text>`}},
		"an empty screen": {"", []string{}},
		"the second line": {"\na", []string{`<text x="16" y="68.5" textLength="8.4"` + line + `>a</text>`}},
		"columns": {"a   b", []string{`<text x="16" y="48.5" textLength="8.4"` + line + `>a</text>`,
			`<text x="49.6" y="48.5" textLength="8.4"` + line + `>b</text>`}},
		"bold, of 16 colours": {"\x1b[1;31mab\x1b[0mc", []string{`<text x="16" y="48.5" textLength="16.8"` + line + ` fill="#ff7b72" font-weight="bold">ab</text>`,
			`<text x="32.8" y="48.5" textLength="8.4"` + line + `>c</text>`}},
		"of 256 colours": {"\x1b[38;5;9ma\x1b[38;5;243mb\x1b[38;2;1;2;3mc", []string{`<text x="16" y="48.5" textLength="8.4"` + line + ` fill="#ffa198">a</text>`,
			`<text x="24.4" y="48.5" textLength="8.4"` + line + ` fill="#767676">b</text>`,
			`<text x="32.8" y="48.5" textLength="8.4"` + line + ` fill="#010203">c</text>`}},
		"reverse": {"\x1b[7m a ", []string{`<rect x="16" y="34" width="25.2" height="20" fill="#e6edf3"/>`,
			`<text x="16" y="48.5" textLength="25.2"` + line + ` fill="#0d1117"> a </text>`}},
		"a background": {"\x1b[44m  ", []string{`<rect x="16" y="34" width="16.8" height="20" fill="#58a6ff"/>`}},
		"faint, italic, underlined, struck": {"\x1b[2;3;4ma\x1b[0;9mb", []string{
			`<text x="16" y="48.5" textLength="8.4"` + line + ` font-style="italic" opacity="0.7" text-decoration="underline">a</text>`,
			`<text x="24.4" y="48.5" textLength="8.4"` + line + ` text-decoration="line-through">b</text>`}},
		"concealed": {"a\x1b[8mb\x1b[0mc", []string{`<text x="16" y="48.5" textLength="8.4"` + line + `>a</text>`,
			`<text x="32.8" y="48.5" textLength="8.4"` + line + `>c</text>`}},
		"wide": {"日本x", []string{`<text x="16" y="48.5" textLength="16.8"` + line + `>日</text>`,
			`<text x="32.8" y="48.5" textLength="16.8"` + line + `>本</text>`,
			`<text x="49.6" y="48.5" textLength="8.4"` + line + `>x</text>`}},
		"XML's own": {`<&>"'`, []string{`<text x="16" y="48.5" textLength="42"` + line + `>&lt;&amp;&gt;&#34;&#39;</text>`}},
	} {
		if got := body(Draw(cells(test.written), Dark(), "t")); strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("%s: drawn is\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// No terminal keeps control characters; a screen that holds some is drawn without them.
func TestControlCharactersAreReplaced(t *testing.T) {
	b := uv.NewBuffer(4, 1)
	for x, content := range []string{"\x1b", "\x00", "\x7f", "\u202e"} {
		b.SetCell(x, 0, &uv.Cell{Content: content, Width: 1})
	}
	picture := Draw(b, Light(), "a\x07<b>")
	if strings.ContainsAny(picture, "\x1b\x00\x07\x7f\u202e") || !strings.Contains(picture, "<title>a\ufffd&lt;b&gt;</title>") {
		t.Errorf("drawn is %q", picture)
	}
	wellFormed(t, picture)
}

func TestAPictureIsWellFormedAndTheSameEachTime(t *testing.T) {
	text := "$ agent\x1b[1;32m ok \x1b[0m<>\n\x1b[7m yes \x1b[0m no"
	for name, theme := range map[string]Theme{"light": Light(), "dark": Dark()} {
		picture := Draw(cells(text), theme, name)
		wellFormed(t, picture)
		if again := Draw(cells(text), theme, name); again != picture {
			t.Errorf("%s: the second picture differs", name)
		}
		if !strings.HasPrefix(picture, `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="90" viewBox="0 0 200 90" role="img">`+"\n<title>"+name+"</title>\n") {
			t.Errorf("%s: the picture begins with %.160s", name, picture)
		}
	}
}

func wellFormed(t *testing.T, picture string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// WCAG 2 asks for 4.5 between a text and what is behind it.
func TestColoursCanBeRead(t *testing.T) {
	for name, theme := range map[string]Theme{"light": Light(), "dark": Dark()} {
		for i, colour := range append([]string{theme.text}, theme.basic[:]...) {
			if got := contrast(t, colour, theme.paper); got < 4.5 {
				t.Errorf("%s: colour %d, %s, has a contrast of %.1f", name, i-1, colour, got)
			}
		}
	}
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) (sum float64) {
	t.Helper()
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return sum
}
