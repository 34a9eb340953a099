package scout

import (
	"path"
	"strings"
)

// buildsOf says, of the files that the build at hand leaves out, what a build
// needs to have them, as it stands behind their paths: " [windows && cgo]". The
// names of some say it already.
func buildsOf(places []Pointer) map[string]string {
	builds := make(map[string]string)
	for _, p := range places {
		needs, tagged := traitOf(p.Traits, TraitTagged)
		if _, out := traitOf(p.Traits, TraitLeftOut); out && tagged && !named(p.path(), needs.Detail) {
			builds[p.path()] = " [" + needs.Detail + "]"
		}
	}
	return builds
}

// named reports whether the name of a file says what a build needs to have it:
// that of net_windows_arm64.go "windows && arm64".
func named(file, needs string) bool {
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(file), path.Ext(file)), "_test")
	return needs == "" || strings.HasSuffix(base, "_"+strings.ReplaceAll(needs, " && ", "_"))
}
