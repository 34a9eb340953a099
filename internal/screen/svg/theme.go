package svg

import (
	"fmt"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// A Theme holds the colours that a terminal lets its user choose.
type Theme struct {
	text, paper, frame string
	basic              [16]string // black, red, green, yellow, blue, magenta, cyan, white, and their bright ones
}

// Light returns dark text on white.
func Light() Theme {
	return Theme{text: "#1f2328", paper: "#ffffff", frame: "#d1d9e0", basic: [16]string{
		"#24292f", "#b31d28", "#116329", "#7d4e00", "#0550ae", "#7d32c9", "#0f6674", "#6e7781",
		"#57606a", "#a40e26", "#1a7f37", "#744c00", "#0969da", "#8250df", "#1b7c83", "#59636e",
	}}
}

// Dark returns light text on near black.
func Dark() Theme {
	return Theme{text: "#e6edf3", paper: "#0d1117", frame: "#3d444d", basic: [16]string{
		"#8b949e", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4",
		"#8b949e", "#ffa198", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#ffffff",
	}}
}

// A paint says how a run is drawn.
type paint struct {
	text, behind string // colours; "": the theme's own
	style        uv.Style
}

func (t Theme) paint(style uv.Style) paint {
	p := paint{text: t.colour(style.Fg), behind: t.colour(style.Bg), style: style}
	if style.Attrs&uv.AttrReverse != 0 {
		p.text, p.behind = or(p.behind, t.paper), or(p.text, t.text)
	}
	return p
}

func or(colour, otherwise string) string {
	if colour == "" {
		return otherwise
	}
	return colour
}

// colour returns a colour as SVG writes it; "": the terminal's own.
func (t Theme) colour(c color.Color) string {
	switch c := c.(type) {
	case nil:
		return ""
	case ansi.BasicColor:
		return t.basic[c&15]
	case ansi.IndexedColor:
		if c < 16 {
			return t.basic[c]
		}
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// attributes writes what distinguishes the text of a run, each with a blank before.
func (p paint) attributes() string {
	var all strings.Builder
	put := func(is bool, name, value string) {
		if is {
			fmt.Fprintf(&all, ` %s="%s"`, name, value)
		}
	}
	has := func(attr uint8) bool { return p.style.Attrs&attr != 0 }
	put(p.text != "", "fill", p.text)
	put(has(uv.AttrBold), "font-weight", "bold")
	put(has(uv.AttrItalic), "font-style", "italic")
	put(has(uv.AttrFaint), "opacity", "0.7")
	put(p.style.Underline != 0, "text-decoration", "underline")
	put(p.style.Underline == 0 && has(uv.AttrStrikethrough), "text-decoration", "line-through")
	return all.String()
}
