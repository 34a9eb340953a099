package redact

import (
	"fmt"
	"strconv"
	"strings"

	"tidepool/internal/wording"
)

// maxLines bounds the lines that a note names.
const maxLines = 10

// note returns what the model must know to edit the file that it has read, "" for other responses.
func (r result) note(shape response) string {
	if !shape.file || r.withheld {
		return ""
	}
	where := ""
	if shape.lines && len(r.lines) > 0 {
		where = ", on line " + numbers(r.lines)
	}
	return fmt.Sprintf("tidepool replaced %s in this text%s. The file has the values themselves: an edit that quotes or writes a token "+
		"such as [SECRET_1] does not fit it, so leave those places out.", wording.Count(r.secrets, "secret"), where)
}

func numbers(lines []int) string {
	var all []string
	for _, n := range lines[:min(len(lines), maxLines)] {
		all = append(all, strconv.Itoa(n))
	}
	if more := len(lines) - maxLines; more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, ", ")
}
