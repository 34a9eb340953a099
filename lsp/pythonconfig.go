package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// A pyrightConfig is what the configuration of a folder says of the files that belong to it; empty: nothing.
type pyrightConfig struct{ include, exclude []string }

// readPyrightConfig reads pyrightconfig.json or else the table tool.pyright of pyproject.toml, as pyright does. name
// is the file that says something. What cannot be read says nothing: pyright then takes its defaults as well.
func readPyrightConfig(dir string) (name string, config pyrightConfig) {
	if data, err := os.ReadFile(filepath.Join(dir, "pyrightconfig.json")); err == nil {
		var read struct{ Include, Exclude []string }
		json.Unmarshal(plainJSON(data), &read)
		return "pyrightconfig.json", pyrightConfig{read.Include, read.Exclude}
	}
	data, err := os.ReadFile(filepath.Join(dir, "pyproject.toml"))
	if err != nil {
		return "", pyrightConfig{}
	}
	table := tomlTable(string(data), "[tool.pyright]")
	return "pyproject.toml", pyrightConfig{tomlStrings(table, "include"), tomlStrings(table, "exclude")}
}

// plainJSON blanks out what a configuration file may hold beyond JSON: comments, and commas behind the last item.
func plainJSON(data []byte) []byte {
	out := []byte{}
	comma := -1 // in out, of a comma with nothing behind it yet
	for at := 0; at < len(data); {
		end := at + 1
		switch rest := string(data[at:]); {
		case rest[0] == '"':
			end = at + quotedLength(rest)
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

// quotedLength is the length of the string that text begins with, quotes included.
func quotedLength(text string) int {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			if text[0] == '"' {
				at++
			}
		case text[0]:
			return at + 1
		}
	}
	return len(text)
}

// tomlTable returns what stands between the header of a table and the next one.
func tomlTable(text, header string) string {
	var table strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "[") && strings.Contains(trimmed, "]") && !strings.ContainsAny(trimmed, `"'`) {
			inside = strings.HasPrefix(trimmed, header)
			continue
		}
		if inside {
			table.WriteString(line)
		}
	}
	return table.String()
}

// tomlStrings returns the strings of the array that a key of the table has as its value.
func tomlStrings(table, key string) []string {
	_, rest, found := strings.Cut("\n"+table, "\n"+key)
	value, ok := strings.CutPrefix(strings.TrimSpace(rest), "=")
	if !found || !ok {
		return nil
	}
	var list []string
	for at := 0; at < len(value) && value[at] != ']'; {
		switch value[at] {
		case '"', '\'':
			length := quotedLength(value[at:])
			list = append(list, strings.Trim(value[at:at+length], `"'`))
			at += length
		case '#':
			at += strings.IndexByte(value[at:]+"\n", '\n')
		default:
			at++
		}
	}
	return list
}
