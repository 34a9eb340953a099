// Dist builds what people install who have no checkout: a tarball for each platform, with both programs, their completions and manual
// pages and install.sh; the plugin with the programs in it; Debian packages; and the checksums of all of them.
//
// Run it by make dist, which gets nfpm, the program that writes Debian packages. It is a program and no library of this module, because
// its dependencies are more than all others here together. The same commit gives the same files: times are those of the commit, names
// are sorted, and nothing belongs to a user. make dist-check clones the commit, builds everything again with an empty build cache, and
// compares the checksums.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("dist", flag.ContinueOnError)
	out := flags.String("out", "dist", "directory of the files, emptied first")
	names := flags.String("targets", strings.Join(targetNames(), ","), "platforms to build for")
	check := flags.Bool("check", false, "build the commit again elsewhere, and compare with what is in the directory")
	stage := flags.String("stage", "", "only lay out the tree of this machine in that directory, from the programs in bin/")
	if err := flags.Parse(args); err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	src, err := readVersion(root)
	if err != nil {
		return err
	}
	if *stage != "" {
		return stageTree(ctx, src, *stage)
	}
	if err := src.readCommit(ctx); err != nil {
		return err
	}
	targets, err := chooseTargets(*names)
	if err != nil {
		return err
	}
	if *check {
		return checkAgain(ctx, src, *out, targets)
	}
	return build(ctx, src, *out, targets)
}

// build fills out with the files of the targets.
func build(ctx context.Context, src *source, out string, targets []target) error {
	if err := emptyDirectory(out); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "tidepool-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	fmt.Fprintf(os.Stderr, "building the programs of this machine\n")
	pages, err := src.pages(ctx, work)
	if err != nil {
		return err
	}
	for _, t := range targets {
		fmt.Fprintf(os.Stderr, "building %s\n", t)
		if err := src.buildTarget(ctx, t, pages, work, out); err != nil {
			return fmt.Errorf("building for %s: %w", t, err)
		}
	}
	return writeSums(out)
}

// buildTarget writes the files of one target.
func (s *source) buildTarget(ctx context.Context, t target, pages []entry, work, out string) error {
	bin := filepath.Join(work, t.os+"-"+t.arch)
	if err := s.compile(ctx, t, bin); err != nil {
		return err
	}
	tree, err := s.tree(bin, pages)
	if err != nil {
		return err
	}
	if err := writeTarball(filepath.Join(out, s.archiveName("tidepool", t)+".tar.gz"), s.archiveName("tidepool", t), tree, s.time); err != nil {
		return err
	}
	plugin, err := s.pluginTree(bin)
	if err != nil {
		return err
	}
	if err := writeTarball(filepath.Join(out, s.archiveName("tidepool-plugin", t)+".tar.gz"), "tidepool-plugin", plugin, s.time); err != nil {
		return err
	}
	if t.os != "linux" {
		return nil
	}
	return s.writeDeb(ctx, t, tree, work, out)
}

// emptyDirectory makes dir, or removes the files of an earlier run from it. It removes nothing else.
func emptyDirectory(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !isOurs(e) }) {
		return errors.New(dir + " has files that make dist has not made: name another directory by -out")
	}
	for _, e := range entries {
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func isOurs(e os.DirEntry) bool {
	return e.Type().IsRegular() && (e.Name() == sumsName || strings.HasPrefix(e.Name(), "tidepool"))
}
