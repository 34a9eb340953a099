package svg

import (
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// A run is a part of a line that is drawn as one: of one style, without two blanks in a row, which a picture would show as one.
type run struct {
	from, cells int
	style       uv.Style
	text        strings.Builder
}

// split returns the runs of a line. Blanks that show nothing are in none. A wide character is a run of its own: no font but the reader's
// says how wide it is beside others.
func split(cells uv.Line) []*run {
	var runs []*run
	var now *run
	for x, cell := range cells {
		if cell.Width == 0 {
			continue // the right half of a wide character
		}
		fits := now != nil && cell.Width == 1 && now.style.Equal(&cell.Style)
		switch {
		case fits && (!blank(cell) || marked(cell) || continues(cells, x)):
		case blank(cell) && !marked(cell):
			now = nil
			continue
		default:
			now = &run{from: x, style: cell.Style}
			runs = append(runs, now)
		}
		now.cells += cell.Width
		now.text.WriteString(content(cell))
		if cell.Width > 1 {
			now = nil
		}
	}
	return runs
}

// continues reports whether a blank stands alone within words of the same style.
func continues(cells uv.Line, x int) bool {
	return x+1 < len(cells) && !blank(cells[x+1]) && cells[x+1].Width == 1 && cells[x+1].Style.Equal(&cells[x].Style) && !blank(cells[x-1])
}

func blank(cell uv.Cell) bool { return strings.TrimSpace(content(cell)) == "" }

// marked reports whether a cell shows something even if it is blank.
func marked(cell uv.Cell) bool {
	return cell.Style.Bg != nil || cell.Style.Attrs&(uv.AttrReverse|uv.AttrStrikethrough) != 0 || cell.Style.Underline != 0
}

// content returns what a cell shows.
func content(cell uv.Cell) string {
	if cell.Content == "" || cell.Style.Attrs&uv.AttrConceal != 0 {
		return " "
	}
	return cell.Content
}
