package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// checkAgain clones the commit into another directory, builds the targets there with an empty build cache, and compares the
// checksums with those in out.
func checkAgain(ctx context.Context, src *source, out string, targets []target) error {
	if strings.HasSuffix(src.commit, "-dirty") {
		return errors.New("the checkout has changes that are not committed: only a commit can be built again")
	}
	first, err := os.ReadFile(filepath.Join(out, sumsName))
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "tidepool-dist-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	clone := filepath.Join(work, "elsewhere")
	if _, err := src.git(ctx, "clone", "--quiet", "--no-local", src.root, clone); err != nil {
		return err
	}
	nfpm := filepath.Join(clone, "bin", "nfpm")
	if err := os.Mkdir(filepath.Dir(nfpm), 0o755); err != nil {
		return err
	}
	if err := os.Symlink(filepath.Join(src.root, "bin", "nfpm"), nfpm); err != nil {
		return err
	}
	if err := os.Setenv("GOCACHE", filepath.Join(work, "cache")); err != nil {
		return err
	}
	again, err := readVersion(clone)
	if err != nil {
		return err
	}
	if err := again.readCommit(ctx); err != nil {
		return err
	}
	second := filepath.Join(work, "dist")
	if err := build(ctx, again, second, targets); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(second, sumsName))
	if err != nil {
		return err
	}
	if !bytes.Equal(first, sums) {
		return fmt.Errorf("two builds of %s differ:\n%s\n%s", src.commit, first, sums)
	}
	fmt.Printf("two builds of %s are the same:\n%s", src.commit, sums)
	return nil
}
