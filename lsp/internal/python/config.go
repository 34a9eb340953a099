package python

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"tidepool/lsp/internal/toml"
)

// A configuration is what the configuration of a folder says of the files that belong to it; empty: nothing.
type configuration struct{ include, exclude []string }

// readPyrightConfig reads pyrightconfig.json or else the table tool.pyright of pyproject.toml, as pyright does. name
// is the file that says something. What cannot be read says nothing: pyright then takes its defaults as well.
func readPyrightConfig(dir string) (name string, config configuration) {
	if data, err := os.ReadFile(filepath.Join(dir, "pyrightconfig.json")); err == nil {
		var read struct{ Include, Exclude []string }
		json.Unmarshal(plainJSON(data), &read)
		return "pyrightconfig.json", configuration{read.Include, read.Exclude}
	}
	data, err := os.ReadFile(filepath.Join(dir, "pyproject.toml"))
	if err != nil {
		return "", configuration{}
	}
	table := toml.Table(string(data), "[tool.pyright]")
	return "pyproject.toml", configuration{toml.Strings(table, "include"), toml.Strings(table, "exclude")}
}

// plainJSON blanks out what a configuration file may hold beyond JSON: comments, and commas behind the last item.
func plainJSON(data []byte) []byte {
	out := []byte{}
	comma := -1 // in out, of a comma with nothing behind it yet
	for at := 0; at < len(data); {
		end := at + 1
		switch rest := string(data[at:]); {
		case rest[0] == '"':
			end = at + toml.QuotedLength(rest)
		case strings.HasPrefix(rest, "//"):
			at += len(rest[:strings.IndexByte(rest+"\n", '\n')])
			continue
		case strings.HasPrefix(rest, "/*"):
			at += len(rest[:strings.Index(rest+"*/", "*/")]) + 2
			continue
		case (rest[0] == ']' || rest[0] == '}') && comma >= 0:
			out[comma] = ' '
		}
		switch {
		case data[at] == ',':
			comma = len(out)
		case !strings.ContainsRune(" \t\r\n", rune(data[at])):
			comma = -1
		}
		out = append(out, data[at:min(end, len(data))]...)
		at = end
	}
	return out
}
