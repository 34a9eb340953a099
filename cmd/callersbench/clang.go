package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// libclangOracle is the program that asks libclang.
//
//go:embed oracle/libclang.py
var libclangOracle []byte

// A clangSource is a project of C or C++ inside of an npm package: what brings no build commands gets some.
type clangSource struct {
	below string              // the directory in the package; "": the package
	parts []string            // the directories below it; nil: all
	args  map[string][]string // the compiler and its flags, by patterns of files
	not   []string            // files that are for other machines
}

// fetch unpacks the project, and says how it is compiled.
func (p clangSource) fetch(ctx context.Context, c *subject) error {
	if err := unpack(ctx, c, p.below, p.parts...); err != nil {
		return err
	}
	var commands []compileCommand
	for _, pattern := range slices.Sorted(maps.Keys(p.args)) {
		found, err := filepath.Glob(filepath.Join(c.Dir, filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		for _, path := range found {
			if unit, _ := c.Below(path); !slices.Contains(p.not, unit) {
				commands = append(commands, compileCommand{c.Dir, unit, append(slices.Clone(p.args[pattern]), unit)})
			}
		}
	}
	if len(commands) == 0 {
		return errors.New("it has none of the sources that it should")
	}
	encoded, err := json.Marshal(commands)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(c.Dir, "compile_commands.json"), encoded, 0o600)
}

// A compileCommand is an entry of compile_commands.json.
type compileCommand struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Arguments []string `json:"arguments"`
}

// clangTruth asks libclang where each function is used.
func clangTruth(ctx context.Context, c *subject) ([]function, error) {
	return python(ctx, c, "libclang.py", libclangOracle)
}
