package main

import (
	"context"
	"strings"

	"tidepool/internal/checkout"
)

// A project is a public one of a version.
type project struct {
	language string // its name for people
	source   string // the module or package with its version, and behind a space which part of it
	fetch    func(context.Context, *subject) error
	truth    func(context.Context, *subject) ([]function, error)
}

// projects lists what is asked about, at least two of a language.
func projects() []project {
	return []project{
		{"Go", "mvdan.cc/sh/v3@v3.14.1", fetchModule, goTruth},
		{"Go", "github.com/yuin/goldmark@v1.4.13", fetchModule, goTruth},
		{"TypeScript", "immer@10.1.1", fetchPackage, typescriptTruth},
		{"TypeScript", "rxjs@7.8.1", fetchPackage, typescriptTruth},
		{"Python", "node-gyp@10.2.0 gyp", pythonBelow("gyp/pylib", "gyp", "packaging"), pythonTruth},
		{"Python", "node-gyp@10.2.0 packaging", pythonBelow("gyp/pylib", "packaging"), pythonTruth},
		{"C", "tree-sitter@0.25.0", treeSitter().fetch, clangTruth},
		{"C", "usb@2.14.0", libusb().fetch, clangTruth},
		{"C++", "leveldown@6.1.1", levelDB().fetch, clangTruth},
	}
}

func treeSitter() clangSource {
	return clangSource{
		below: "vendor/tree-sitter/lib",
		args:  map[string][]string{"src/*.c": {"clang", "-std=c11", "-D_DEFAULT_SOURCE", "-Iinclude", "-Isrc"}},
	}
}

func libusb() clangSource {
	c := []string{"clang", "-std=gnu11", "-D_GNU_SOURCE=1", "-DDEFAULT_VISIBILITY=", "-DPRINTF_FORMAT(a,b)=__attribute__((format(printf,a,b)))"}
	c = append(c, strings.Fields(`-DPLATFORM_POSIX=1 -DHAVE_GETTIMEOFDAY=1 -DHAVE_POLL_H=1 -DHAVE_NFDS_T=1 -DHAVE_SYS_TIME_H=1 -DENABLE_LOGGING=1
		-DTHREADS_POSIX=1 -DHAVE_CLOCK_GETTIME=1 -DOS_LINUX=1 -DHAVE_LINUX_NETLINK_H=1 -Ilibusb_config -Ilibusb/libusb`)...)
	args := map[string][]string{"libusb/libusb/*.c": c, "libusb/libusb/os/*_posix.c": c}
	for _, one := range []string{"libusb/os/linux_netlink", "libusb/os/linux_usbfs", "examples/listdevs", "examples/xusb", "tests/stress", "tests/init_context", "tests/testlib"} {
		args["libusb/"+one+".c"] = c
	}
	return clangSource{parts: []string{"libusb", "libusb_config"}, args: args}
}

func levelDB() clangSource {
	platform := []string{"-DOS_LINUX", "-DLEVELDB_PLATFORM_POSIX", "-I.", "-Iinclude"}
	c, cpp := append([]string{"clang"}, platform...), append([]string{"clang++", "-std=c++11"}, platform...)
	return clangSource{
		below: "deps/leveldb/leveldb-1.20", not: []string{"port/port_posix_sse.cc"},
		args: map[string][]string{"*/*.cc": cpp, "helpers/memenv/*.cc": cpp, "*/*.c": c},
	}
}

// A subject is a project on the disk.
type subject struct {
	*checkout.Checkout
	project
}

// fetchModule lays out a Go module.
func fetchModule(ctx context.Context, c *subject) error { return c.FetchModule(ctx, c.source) }
