package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// babylon is the version of the packages of fetchBabylon.
const babylon = "9.34.0"

// fetchBabylon lays out the JavaScript sources of a 3D engine, of which npm has the packages: core, and those that build on it, side by
// side as in a repository of its own. Their declarations stay behind, because a declaration hides the source beside it.
func fetchBabylon(ctx context.Context, p *project) error {
	for _, name := range []string{"core", "gui", "materials"} {
		if err := p.fetchPackage(ctx, "@babylonjs/"+name+"@"+babylon, name); err != nil {
			return err
		}
	}
	// A JavaScript project of more than 20 MB is served only when its size is not limited.
	const settings = `{"compilerOptions": {"module": "esnext", "target": "esnext", "moduleResolution": "bundler", "disableSizeLimit": true,
"paths": {"@babylonjs/*": ["./*"]}}, "exclude": ["node_modules"]}
`
	if err := os.WriteFile(filepath.Join(p.dir, "jsconfig.json"), []byte(settings), 0o600); err != nil {
		return err
	}
	p.hub, p.leaf = "core/Maths/math.vector.pure.js", "core/Maths/halton2DSequence.js"
	return p.walkSources(func(path string) bool { return strings.HasSuffix(path, ".js") })
}

// fetchPackage puts the JavaScript sources of a version of an npm package into a directory of the project. None of its scripts runs.
func (p *project) fetchPackage(ctx context.Context, version, directory string) error {
	below := filepath.Join(p.top, directory)
	if err := os.MkdirAll(below, 0o700); err != nil {
		return err
	}
	if err := p.tool(ctx, p.top, "npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", below, version); err != nil {
		return err
	}
	archives, err := filepath.Glob(filepath.Join(below, "*.tgz"))
	if err != nil || len(archives) != 1 {
		return fmt.Errorf("npm pack %s leaves %d archives, %w", version, len(archives), err)
	}
	if err := p.tool(ctx, below, "tar", "xzf", archives[0]); err != nil {
		return err
	}
	from, to := filepath.Join(below, "package"), filepath.Join(p.dir, directory)
	err = filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) != ".js" {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		return os.Rename(path, target)
	})
	if err != nil {
		return err
	}
	return os.RemoveAll(below)
}

// tool runs a program that fetches or unpacks.
func (p *project) tool(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
