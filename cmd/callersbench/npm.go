package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// typescriptOracle is the program that asks the TypeScript compiler.
//
//go:embed oracle/typescript.cjs
var typescriptOracle []byte

// typescriptSettings are those of a project, for its compiler and its language server alike.
const typescriptSettings = `{"compilerOptions": {"strict": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler",
"lib": ["es2022", "dom"], "types": [], "skipLibCheck": true, "noEmit": true}, "include": ["src"]}
`

// fetchPackage unpacks an npm package that has its TypeScript sources in src. None of its scripts runs.
func fetchPackage(ctx context.Context, c *checkout) error {
	beside := filepath.Dir(c.dir)
	pack := exec.CommandContext(ctx, "npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", beside, c.source)
	pack.Dir = beside
	name, err := pack.Output()
	if err != nil {
		return fmt.Errorf("npm pack %s: %w", c.source, err)
	}
	archive := filepath.Join(beside, firstLine(string(name)))
	tar := exec.CommandContext(ctx, "tar", "xzf", archive, "--strip-components=1", "-C", c.dir, "package/src", "package/package.json")
	if out, err := tar.CombinedOutput(); err != nil {
		return fmt.Errorf("unpacking %s: %w\n%s", c.source, err, out)
	}
	return os.WriteFile(filepath.Join(c.dir, "tsconfig.json"), []byte(typescriptSettings), 0o600)
}

// typescriptTruth has the TypeScript compiler of the language server say where each function is used.
func typescriptTruth(ctx context.Context, c *checkout) ([]function, error) {
	script := filepath.Join(filepath.Dir(c.dir), "typescript.cjs")
	if err := os.WriteFile(script, typescriptOracle, 0o600); err != nil {
		return nil, err
	}
	compiler := filepath.Join(c.bin, "servers", "node_modules", "typescript")
	return tell(exec.CommandContext(ctx, "node", script, compiler, c.dir))
}

// tell runs an oracle, which prints functions as JSON.
func tell(oracle *exec.Cmd) ([]function, error) {
	out, err := oracle.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return nil, fmt.Errorf("%w\n%s", err, failed.Stderr)
	}
	if err != nil {
		return nil, err
	}
	var all []function
	if err := json.Unmarshal(out, &all); err != nil {
		return nil, fmt.Errorf("reading what the compiler says: %w", err)
	}
	for i := range all {
		all[i].Calls, all[i].Values, all[i].Through = distinct(all[i].Calls), distinct(all[i].Values), distinct(all[i].Through)
	}
	return all, nil
}
