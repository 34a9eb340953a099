package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// hide renames the hidden tests of topics, so that nobody runs them: everything else still compiles.
func (m *module) hide(topics []topic) error {
	for _, t := range topics {
		for _, of := range t.hidden {
			path := filepath.Join(m.Dir, filepath.FromSlash(of.file))
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			head := regexp.MustCompile(`(?m)^func ` + of.name + `\(`)
			if len(head.FindAll(source, 2)) != 1 {
				return fmt.Errorf("%s does not declare %s once", of.file, of.name)
			}
			source = head.ReplaceAll(source, []byte("func hidden"+of.name+"("))
			if err := os.WriteFile(path, source, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}
