package golang

import "testing"

func TestGoPasses(t *testing.T) {
	folders := []string{"/p/testdata/mod", "/q"}
	for dir, want := range map[string]bool{
		"/p/testdata/mod": false, "/p/testdata/mod/a": false, "/p/testdata/mod/testdata/a": true, "/p/testdata/mod/a/_b": true,
		"/q/vendor/a": true, "/q": false, "/r/testdata": false,
	} {
		if got := passes(folders, dir); got != want {
			t.Errorf("%s: %v, want %v", dir, got, want)
		}
	}
}
