package render

import (
	"path"
	"strings"

	"tidepool/scout"
)

// buildsOf says, of the files that the build at hand leaves out, what a build
// needs to have them, as it stands behind their paths: " [windows && cgo]". The
// names of some say it already.
func buildsOf(places []scout.Pointer) map[string]string {
	builds := make(map[string]string)
	for _, p := range places {
		file, _ := p.Place()
		needs, tagged := scout.TraitOf(p.Traits, scout.TraitTagged)
		if _, out := scout.TraitOf(p.Traits, scout.TraitLeftOut); out && tagged && !named(file, needs.Detail) {
			builds[file] = " [" + needs.Detail + "]"
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
