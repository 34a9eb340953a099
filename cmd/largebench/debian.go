package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// sourceList is where apt-get finds source packages, with a list of its own: the machine's is left alone.
const sourceList = "deb-src http://deb.debian.org/debian bookworm main\n"

// fetchSource unpacks the upstream archive of a version of a Debian source package into the project. apt-get checks its signatures.
func (p *project) fetchSource(ctx context.Context, name, version string) error {
	below := filepath.Join(p.top, "apt")
	if err := os.MkdirAll(filepath.Join(below, "lists", "partial"), 0o700); err != nil {
		return err
	}
	list := filepath.Join(below, "sources.list")
	if err := os.WriteFile(list, []byte(sourceList), 0o600); err != nil {
		return err
	}
	options := []string{
		"-q", "-o", "Dir::Etc::sourcelist=" + list, "-o", "Dir::Etc::sourceparts=-", "-o", "Dir::State::lists=" + filepath.Join(below, "lists"),
		"-o", "APT::Sandbox::User=root",
	}
	if err := p.tool(ctx, below, "apt-get", append(options, "update")...); err != nil {
		return err
	}
	if err := p.tool(ctx, below, "apt-get", append(options, "source", "--download-only", "--tar-only", name+"="+version)...); err != nil {
		return err
	}
	archives, err := filepath.Glob(filepath.Join(below, name+"_*.orig.tar.?z"))
	if err != nil || len(archives) != 1 {
		return fmt.Errorf("apt-get source %s leaves %d archives, %w", name, len(archives), err)
	}
	if err := p.tool(ctx, below, "tar", "xf", archives[0], "--strip-components=1", "-C", p.dir); err != nil {
		return err
	}
	return os.RemoveAll(below)
}

// fetchSympy lays out a computer algebra system in Python that imports nothing but Python's own library and mpmath.
func fetchSympy(ctx context.Context, p *project) error {
	if err := p.fetchSource(ctx, "sympy", "1.11.1-1"); err != nil {
		return err
	}
	p.hub, p.leaf = "sympy/core/basic.py", "sympy/physics/hep/gamma_matrices.py"
	return p.walkSources(func(path string) bool {
		return strings.HasPrefix(path, "sympy/") && strings.HasSuffix(path, ".py") && !strings.Contains(path, "/tests/")
	})
}

// fetchNgspice lays out a circuit simulator in C, with the commands that compile it. The header that its configure script would write
// is a short one of ours.
func fetchNgspice(ctx context.Context, p *project) error {
	if err := p.fetchSource(ctx, "ngspice", "39.3+ds-1"); err != nil {
		return err
	}
	header := filepath.Join(p.dir, "configured", "ngspice", "config.h")
	if err := os.MkdirAll(filepath.Dir(header), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(header, []byte(ngspiceConfig()), 0o600); err != nil {
		return err
	}
	p.hub, p.leaf = "src/include/ngspice/ngspice.h", "src/spicelib/parser/inp2n.c"
	inC := func(path string) bool { return strings.HasPrefix(path, "src/") && strings.HasSuffix(path, ".c") }
	if err := p.walkSources(inC); err != nil {
		return err
	}
	return p.writeCommands("-w", "-DWITH_PSS", "-DOSDI", "-DXSPICE", "-Iconfigured", "-Isrc/include", "-Isrc/spicelib/devices", "-Isrc", "-Isrc/frontend")
}

// ngspiceConfig is what that script finds on Linux and most files need to compile.
func ngspiceConfig() string {
	config := "#define PACKAGE_VERSION \"39\"\n#define RETSIGTYPE void\n#define STDC_HEADERS 1\n"
	for _, has := range []string{
		"STRING_H", "STDLIB_H", "DIRENT_H", "PWD_H", "UNISTD_H", "DECL_ISNAN", "DECL_ISINF", "LOGB", "SCALB", "SCALBN",
	} {
		config += "#define HAVE_" + has + " 1\n"
	}
	return config
}

// writeCommands writes compile_commands.json for the sources and for those in C++, which are few: clangd reads nothing but what it names, and
// tidepool reads all that is there.
func (p *project) writeCommands(flags ...string) error {
	type command struct {
		Directory string   `json:"directory"`
		File      string   `json:"file"`
		Arguments []string `json:"arguments"`
	}
	compilers := map[string]string{".c": "cc", ".cpp": "c++"}
	var all []command
	err := p.walk(func(path string) {
		compiler, compiled := compilers[filepath.Ext(path)]
		if !compiled {
			return
		}
		arguments := append([]string{compiler}, flags...)
		all = append(all, command{p.dir, path, append(arguments, "-I"+filepath.ToSlash(filepath.Dir(path)), "-c", path)})
	})
	if err != nil {
		return err
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(p.dir, "compile_commands.json"), data, 0o600)
}
