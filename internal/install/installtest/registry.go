// Package installtest serves packages to real npm and go commands, so that tests install something without leaving the machine.
package installtest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// A Package of npm has one program, which prints its own version.
type Package struct {
	Name, Version, Program string
	Node                   string // the versions of Node that it needs, ">=20"; "": any
}

// Registry serves packages as npm's registry does, for as long as t lives, and returns its address.
func Registry(t testing.TB, packages ...Package) string {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	for _, p := range packages {
		data := p.tarball(t)
		manifest := p.manifest()
		sum := sha512.Sum512(data)
		manifest["dist"] = map[string]any{
			"tarball":   server.URL + "/" + p.Name + ".tgz",
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
		}
		mux.HandleFunc("GET /"+p.Name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(map[string]any{ // npm says what it misses
				"name": p.Name, "dist-tags": map[string]string{"latest": p.Version}, "versions": map[string]any{p.Version: manifest},
			})
		})
		mux.HandleFunc("GET /"+p.Name+".tgz", func(w http.ResponseWriter, _ *http.Request) { w.Write(data) })
	}
	return server.URL
}

func (p Package) manifest() map[string]any {
	node := cmp.Or(p.Node, "*")
	return map[string]any{"name": p.Name, "version": p.Version, "bin": map[string]string{p.Program: "program.js"}, "engines": map[string]string{"node": node}}
}

// tarball packs the package as npm does.
func (p Package) tarball(t testing.TB) []byte {
	t.Helper()
	manifest, err := json.Marshal(p.manifest())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	packed := tar.NewWriter(zipped)
	for name, text := range map[string]string{"package.json": string(manifest), "program.js": "#!/usr/bin/env node\nconsole.log('" + p.Version + "')\n"} {
		if err := packed.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := packed.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Module makes a directory that GOPROXY may name by file://, with version v1.0.0 of a module that is one program, and returns it.
func Module(t testing.TB, path string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	const version = "v1.0.0"
	mod := "module " + path + "\n"
	var b bytes.Buffer
	packed := zip.NewWriter(&b)
	for name, text := range map[string]string{"go.mod": mod, "main.go": "package main\n\nfunc main() {}\n"} {
		w, err := packed.Create(path + "@" + version + "/" + name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	versions := filepath.Join(dir, path, "@v")
	if err := os.MkdirAll(versions, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{".info": `{"Version":"` + version + `"}`, ".mod": mod, ".zip": b.String()} {
		if err := os.WriteFile(filepath.Join(versions, version+name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(versions, "list"), []byte(version+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}
