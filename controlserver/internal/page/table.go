package page

import (
	"io"
	"strings"

	"tidepool/internal/logging"
)

const (
	tableWidth = 100 // columns of a table
	maxColumn  = 40  // columns of a cell of the second column; a wider one has lines of its own
)

// Table writes rows of three cells in at most 100 columns. A cell that does not fit goes on below itself; a wide second one has the
// third below it.
func Table(out io.Writer, rows [][3]string) error {
	first, second := 0, 0
	for i, row := range rows {
		for j, cell := range row {
			rows[i][j] = logging.Escape(cell)
		}
		first = max(first, columns(rows[i][0]))
		if n := columns(rows[i][1]); n <= maxColumn {
			second = max(second, n)
		}
	}
	p := &Page{out: out}
	for _, row := range rows {
		head := pad(row[0], first)
		indent := pad("", first)
		if columns(row[1]) > second {
			for _, line := range append(wrap(row[1], tableWidth-len(indent)), wrap(row[2], tableWidth-len(indent))...) {
				p.line(head + line)
				head = indent
			}
			continue
		}
		head += pad(row[1], second)
		indent += pad("", second)
		for _, line := range wrap(row[2], tableWidth-len(indent)) {
			p.line(head + line)
			head = indent
		}
	}
	return p.Err()
}

// pad fills a cell up to a width, and appends the gap.
func pad(cell string, width int) string {
	return cell + strings.Repeat(" ", max(0, width-columns(cell))) + gap
}
