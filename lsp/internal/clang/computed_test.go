package clang

import (
	"reflect"
	"slices"
	"testing"
)

func TestComputedIncludes(t *testing.T) {
	sources := map[string]source{
		"/p/a.c": read("#include FT_H\n#include FT_OTHER // why\n#include STR(x.h)\n#import /* ? */ DEEP\n#include \"open\n"),
		"/p/b.h": read("#define FT_H <ft/ft.h>\n#define FT_OTHER \"other.h\" /* mine */\n#define DEEP FT_H\n"),
		"/p/c.h": read("#ifdef X\n#define FT_OTHER <x/other.h>\n#endif\n#define NAME \"not included\"\n"),
		"/p/d.c": read("#include BY_FLAG\n#include BY_FILE\n#include BY_CONFIG\n#include NOBODY\n#include ALSO\n"),
		"/p/e.h": read("#define ALSO \"also.h\"\n#define BY_CONFIG \"config.h\"\n"),
	}
	if got, want := sources["/p/a.c"].computed, []string{"FT_H", "FT_OTHER", "", "", ""}; !slices.Equal(got, want) {
		t.Errorf("computed %q, want %q", got, want)
	}
	names := computedNames(sources)
	if want := []string{"ALSO", "BY_CONFIG", "BY_FILE", "BY_FLAG", "FT_H", "FT_OTHER", "NOBODY"}; !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
	db := database{commands: map[string]compileCommand{"/p/d.c": {Args: []string{"cc", `-DBY_FLAG="flag.h"`, "-D", "ALSO=PATH", "d.c"}}}}
	flags := flagFiles{flags: map[string][]string{"/p": {"-DBY_FILE=<file.h>"}}}
	want := map[string][]string{
		"FT_H": {"ft/ft.h"}, "FT_OTHER": {"other.h", "x/other.h"}, "BY_FLAG": {"flag.h"}, "BY_FILE": {"file.h"}, "NOBODY": nil,
	}
	if got := meanings(names, sources, db, flags, "CompileFlags: {Add: [-DBY_CONFIG=x]}"); !reflect.DeepEqual(got, want) {
		t.Errorf("meanings %q, want %q", got, want)
	}
	db.commands["/p/a.c"] = compileCommand{Args: []string{"cc", "@flags", "a.c"}}
	if got := meanings(names, sources, db, flags, ""); len(got) > 0 {
		t.Errorf("with a file of flags: %q", got)
	}
}
