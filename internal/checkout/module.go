package checkout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
)

// FetchModule copies a version of a Go module, such as golang.org/x/mod@v0.30.0, into the project, and has all that it and its tests
// import in the module cache.
func (c *Checkout) FetchModule(ctx context.Context, version string) error {
	if err := c.CopyModule(ctx, version); err != nil {
		return err
	}
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-test", "./...")
	list.Dir, list.Env = c.Dir, c.Env
	if out, err := list.CombinedOutput(); err != nil {
		return fmt.Errorf("go list in %s: %w\n%s", version, err, out)
	}
	return nil
}

// CopyModule copies a version of a Go module out of the module cache into the project.
func (c *Checkout) CopyModule(ctx context.Context, version string) error {
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", version)
	download.Dir = c.Beside // outside of any module
	out, err := download.Output()
	var got struct{ Dir, Error string }
	if json.Unmarshal(out, &got) != nil || got.Dir == "" {
		return fmt.Errorf("go mod download %s: %w", version, errors.Join(err, errors.New(got.Error)))
	}
	if err := c.Copy(got.Dir); err != nil {
		return fmt.Errorf("copying %s: %w", version, err)
	}
	return nil
}
