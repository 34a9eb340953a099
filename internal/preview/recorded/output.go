package recorded

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Output is what the command of a case printed. Paths of the machine are replaced: the project is /home/dev/shop.
type Output struct {
	Exit   int    `json:"exit"`
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
}

// path returns where the output of a case is kept.
func path(dir, name string) string { return filepath.Join(dir, "outputs", name+".json.gz") }

// ReadOutput returns the recorded output of a case.
func ReadOutput(dir, name string) (Output, error) {
	file, err := os.Open(path(dir, name))
	if err != nil {
		return Output{}, err
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		return Output{}, fmt.Errorf("unpacking the output of %s: %w", name, err)
	}
	var out Output
	if err := json.NewDecoder(text).Decode(&out); err != nil {
		return Output{}, fmt.Errorf("reading the output of %s: %w", name, err)
	}
	return out, nil
}

// WriteOutput keeps the output of a case.
func WriteOutput(dir, name string, out Output) error {
	file, err := os.Create(path(dir, name))
	if err != nil {
		return err
	}
	packed := gzip.NewWriter(file)
	err = json.NewEncoder(packed).Encode(out)
	if err == nil {
		err = packed.Close()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}

// Missing returns what a person looks for and a text does not have.
func (c Case) Missing(text string) []string {
	var missing []string
	for _, look := range c.Look {
		if !strings.Contains(text, look) {
			missing = append(missing, look)
		}
	}
	return missing
}
