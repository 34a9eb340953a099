package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// typescriptOracle is the program that asks the TypeScript compiler.
//
//go:embed oracle/typescript.cjs
var typescriptOracle []byte

// typescriptSettings are those of a project, for its compiler and its language server alike.
const typescriptSettings = `{"compilerOptions": {"strict": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler",
"lib": ["es2022", "dom"], "types": [], "skipLibCheck": true, "noEmit": true}, "include": ["src"]}
`

// fetchPackage unpacks an npm package that has its TypeScript sources in src.
func fetchPackage(ctx context.Context, c *subject) error {
	if err := unpack(ctx, c, "", "src", "package.json"); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(c.Dir, "tsconfig.json"), []byte(typescriptSettings), 0o600)
}

// unpack writes parts of a directory of an npm package into the project, or all of that directory. "" is the package. No script of
// the package runs.
func unpack(ctx context.Context, c *subject, below string, parts ...string) error {
	whole := path.Join("package", below)
	members := []string{whole}
	if len(parts) > 0 {
		members = nil
	}
	for _, part := range parts {
		members = append(members, path.Join(whole, part))
	}
	beside := c.Beside
	pack := exec.CommandContext(ctx, "npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", beside, strings.Fields(c.source)[0])
	pack.Dir = beside
	name, err := pack.Output()
	if err != nil {
		return fmt.Errorf("npm pack %s: %w", c.source, err)
	}
	archive := filepath.Join(beside, firstLine(string(name)))
	options := []string{"xzf", archive, fmt.Sprintf("--strip-components=%d", 1+strings.Count(whole, "/")), "-C", c.Dir}
	if out, err := exec.CommandContext(ctx, "tar", append(options, members...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("unpacking %s: %w\n%s", c.source, err, out)
	}
	return nil
}

// typescriptTruth has the TypeScript compiler of the language server say where each function is used.
func typescriptTruth(ctx context.Context, c *subject) ([]function, error) {
	script := filepath.Join(c.Beside, "typescript.cjs")
	if err := os.WriteFile(script, typescriptOracle, 0o600); err != nil {
		return nil, err
	}
	compiler := filepath.Join(c.Bin, "servers", "node_modules", "typescript")
	return tell(exec.CommandContext(ctx, "node", script, compiler, c.Dir))
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
