package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
)

// fetchModule copies a Go module out of the module cache, with all that it imports in that cache.
func fetchModule(ctx context.Context, c *checkout) error {
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", c.source)
	download.Dir = filepath.Dir(c.dir) // outside of any module
	out, err := download.Output()
	var got struct{ Dir, Error string }
	if json.Unmarshal(out, &got) != nil || got.Dir == "" {
		return fmt.Errorf("go mod download %s: %w", c.source, errors.Join(err, errors.New(got.Error)))
	}
	if err := c.copyInto(got.Dir); err != nil {
		return err
	}
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-test", "./...")
	list.Dir, list.Env = c.dir, c.env()
	if out, err := list.CombinedOutput(); err != nil {
		return fmt.Errorf("go list: %w\n%s", err, out)
	}
	return nil
}
