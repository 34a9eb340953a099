package typescript

import "testing"

func TestInstallBeside(t *testing.T) {
	for program, want := range map[string]string{
		"/usr/lib/node_modules/typescript-language-server/lib/cli.mjs":  "sudo npm install -g --prefix '/usr' " + compiler,
		"/srv/it's/node_modules/typescript-language-server/lib/cli.mjs": `npm install --prefix '/srv/it'\''s' ` + compiler,
		"/usr/local/bin/typescript-language-server":                     "otherwise",
	} {
		if got := installBeside(program, "otherwise", func(dir string) bool { return dir == "/usr/lib/node_modules" }); got != want {
			t.Errorf("%s: %s, want %s", program, got, want)
		}
	}
}
