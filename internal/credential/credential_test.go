package credential

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// write writes a file with its directory.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// values returns what was found as "name: value".
func values(found []Credential) []string {
	var all []string
	for _, c := range found {
		all = append(all, c.Name+": "+c.Value)
	}
	return all
}

func TestEnvironment(t *testing.T) {
	for entry, want := range map[string][]string{
		"DB_PASSWORD=Tr0ub4dor&3":                                     {"Tr0ub4dor&3"},
		"API_KEY=9f8e7d6c5b4a3210":                                    {"9f8e7d6c5b4a3210"},
		"MY_TOKEN=correct horse battery staple":                       {"correct horse battery staple"},
		"SOME_SECRET=correct-horse-battery-staple":                    {"correct-horse-battery-staple"},
		"JWT_SECRET=abcdefghijklmnopqrstuvwxyz":                       {"abcdefghijklmnopqrstuvwxyz"},
		"AWS_SECRET_ACCESS_KEY=/bPxRfi2K7MDENGw+JalrXUtnF":            {"/bPxRfi2K7MDENGw+JalrXUtnF"},
		"PIN_SECRET=12345678901234567890":                             {"12345678901234567890"},
		"DATABASE_URL=postgres://app:hunter-2!x@db/app":               {"postgres://app:hunter-2!x@db/app", "hunter-2!x"},
		"DATABASE_URL=postgres://app:p%40ss-w0rd@db/app":              {"postgres://app:p%40ss-w0rd@db/app", "p%40ss-w0rd", "p@ss-w0rd"},
		"REMOTE_AUTH=https://ghp_0123456789:x-oauth-basic@github.com": {"https://ghp_0123456789:x-oauth-basic@github.com", "ghp_0123456789"},
		"HARMLESS=sk-ant-0123456":                                     {"sk-ant-0123456"},
		"SLACK_WEBHOOK=https://hooks.slack.com/services/T0/B0/x":      {"https://hooks.slack.com/services/T0/B0/x"},
		"CI_WEBHOOK=https://ci.corp.net/hook/a8Fk3Dd92mSlq04jDnwP":    {"https://ci.corp.net/hook/a8Fk3Dd92mSlq04jDnwP"},
		"AUTH_HEADERS=Bearer a8Fk3Dd92mSlq04":                         {"Bearer a8Fk3Dd92mSlq04", "a8Fk3Dd92mSlq04"},
		"CONNECTION_STRING=Server=db;Password=Zq7-plover;":            {"Server=db;Password=Zq7-plover;", "Zq7-plover"},
		"DOCKER_AUTH=bWU6WnE3LXBsb3Zlcg==":                            {"bWU6WnE3LXBsb3Zlcg==", "Zq7-plover"},

		"DB_PASSWORD=short": nil, "DB_PASSWORD=": nil, "PASSWORD_FILE=/etc/x/aB3dE5fG7": nil, "PASSWORD=/run/secrets/db_password": nil, "MY_SECRET=./config/secret.json": nil,
		"SECRET=development": nil, "SECRET=production-1": nil, "SECRET_NAME=my-Zq7-plover": nil, "API_KEY=changeme123": nil, "API_KEY=${OTHER_KEY}": nil,
		"API_KEY=<your key here>": nil, "SORT_KEY=created_at": nil, "SECRET=us-east-1": nil, "TOKEN=someCamelWords": nil, "TOKEN=true": nil, "TOKEN=xxxxxxxxxxxx": nil,
		"TOKEN=1234567890": nil, "TOKEN=2026-11-22T21:50:43Z": nil, "KEY_URL=https://example.com/keys/public": nil, "AUTH=http://localhost:8080/login": nil,
		"NEXT_PUBLIC_API_KEY=9f8e7d6c5b4a3210": nil, "PATH=/usr/bin:/bin": nil, "PWD=/home/me/a8Fk3Dd92mSlq04": nil, "GIT_COMMIT=9f8e7d6c5b4a3210": nil,
		"MAX_THINKING_TOKENS=12345678": nil, "TOKEN": nil, "": nil,
	} {
		found, unread := Source{Environ: []string{entry}}.Find()
		var got []string
		for _, c := range found {
			got = append(got, c.Value)
			if name, _, _ := strings.Cut(entry, "="); c.Name != name {
				t.Errorf("%s: name %q", entry, c.Name)
			}
		}
		if !slices.Equal(got, want) || unread != nil {
			t.Errorf("%s: %q, %v, want %q", entry, got, unread, want)
		}
	}
	found, _ := Source{Environ: []string{"ODD=development", "OTHER=development2"}, Names: []string{"ODD"}}.Find()
	if got := values(found); !slices.Equal(got, []string{"ODD: development"}) {
		t.Errorf("%q", got)
	}
}

func TestFiles(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	config := filepath.Join(t.TempDir(), "config")
	for path, text := range map[string]string{
		home + "/.netrc":                  "# machine x login y password no-Zq7-plover\nmachine a.example login me password netrc-Zq7-1\n\nmachine b.example\n  login me\n  account one\n  password netrc-Zq7-2\n",
		home + "/.npmrc":                  "registry=https://registry.npmjs.org/\n//registry.npmjs.org/:_authToken=npm_Zq7plover1\n//other/:_authToken=${NPM_TOKEN}\n; _password=no-Zq7-plover\n_auth = \"bWU6bnBtLVpxNy0y\"\nemail=me@example.com\n",
		home + "/.git-credentials":        "https://me:git-Zq7%21one@github.com\nhttps://ghp_Zq7plover@example.com\nbroken\n",
		config + "/git/credentials":       "https://me:git-Zq7-two@example.com\n",
		config + "/gh/hosts.yml":          "github.com:\n    user: me\n    oauth_token: gho_Zq7plover1\n    git_protocol: https\n",
		home + "/.aws/credentials":        "[default]\naws_access_key_id = AKIAZQ7PLOVER\naws_secret_access_key = aws/Zq7+plover\n",
		home + "/.cargo/credentials.toml": "[registry]\ntoken = \"cargo-Zq7-1\"\n",
		home + "/.docker/config.json":     "{\"auths\": {\"a\": {\n\t\"auth\": \"bWU6ZG9ja2VyLVpxNy0x\"\n}}}\n",
		home + "/.pypirc":                 "[pypi]\nusername = __token__\npassword: pypi-Zq7plover\n",
		project + "/.npmrc":               "//registry.npmjs.org/:_authToken=npm_Zq7plover2\r\n",
		project + "/.yarnrc.yml":          "npmAuthToken: \"yarn-Zq7-1\"\n",
		project + "/.env.example":         "PASSWORD=no-Zq7-plover\n",
		project + "/.env.local/file":      "PASSWORD=no-Zq7-plover\n",
		project + "/conf/dev.vars":        "PASSWORD=named-Zq7-1\n",
		project + "/.env.test":            "TEST_PASSWORD=env-Zq7-9\n",
		project + "/.env": "# PASSWORD=no-Zq7-plover\nA_PASSWORD=env-Zq7-1 # comment\nexport B_PASSWORD='env-Zq7-2 # more'\n  C_SECRET = \"env-Zq7\\n-3\"\r\n" +
			"D_KEY=\"env\n-Zq7\n-4\"\nE_KEY=\"env-Zq7-5\nMODE=production\nSEED=a8Fk3Dd92mSlq04jDnwP\nBUILD=9f8e7d6c5b4a32109f8e7d6c5b4a3210\nF_TOKEN=`env-Zq7-6`\nnothing\n=x\n",
	} {
		write(t, path, text)
	}
	found, unread := Source{
		Home: home, Project: project, Environ: []string{"XDG_CONFIG_HOME=" + config}, Names: []string{"conf/dev.vars"},
	}.Find()
	got := values(found)
	slices.Sort(got)
	want := []string{
		".env A_PASSWORD: env-Zq7-1", ".env B_PASSWORD: env-Zq7-2 # more", ".env C_SECRET: env-Zq7\n-3", ".env D_KEY: env\n-Zq7\n-4", ".env E_KEY: env-Zq7-5",
		".env F_TOKEN: env-Zq7-6", ".env SEED: a8Fk3Dd92mSlq04jDnwP", ".env.test TEST_PASSWORD: env-Zq7-9", ".git-credentials password: ghp_Zq7plover",
		".git-credentials password: git-Zq7!one", ".git-credentials password: git-Zq7%21one", ".netrc password: netrc-Zq7-1", ".netrc password: netrc-Zq7-2",
		".npmrc //registry.npmjs.org/:_authToken: npm_Zq7plover1", ".npmrc //registry.npmjs.org/:_authToken: npm_Zq7plover2",
		".npmrc _auth: bWU6bnBtLVpxNy0y", ".npmrc _auth: npm-Zq7-2", ".pypirc password: pypi-Zq7plover", ".yarnrc.yml npmAuthToken: yarn-Zq7-1",
		"config.json auth: bWU6ZG9ja2VyLVpxNy0x", "config.json auth: docker-Zq7-1", "credentials aws_access_key_id: AKIAZQ7PLOVER",
		"credentials aws_secret_access_key: aws/Zq7+plover", "credentials password: git-Zq7-two", "credentials.toml token: cargo-Zq7-1",
		"dev.vars PASSWORD: named-Zq7-1", "hosts.yml oauth_token: gho_Zq7plover1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(unread) != 1 || !strings.Contains(unread[0].Error(), ".env.local") {
		t.Errorf("a directory is no file: %v", unread)
	}
}

// What a clone has put in the place of a file is not read, nothing waits, and it is told.
func TestHostileFiles(t *testing.T) {
	project := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "secret")
	write(t, elsewhere, "A_PASSWORD=no-Zq7-plover\n")
	if err := os.Symlink(elsewhere, project+"/.env.link"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(project+"/.env.pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", project+"/.npmrc"); err != nil {
		t.Fatal(err)
	}
	write(t, project+"/.env.large", "A_PASSWORD=no-Zq7-plover\n"+strings.Repeat("x", maxFile))
	write(t, project+"/.env", "A_PASSWORD=yes-Zq7-plover\n")
	found, unread := Source{Project: project, Home: project + "/.env"}.Find()
	if got := values(found); !slices.Equal(got, []string{".env A_PASSWORD: yes-Zq7-plover"}) {
		t.Errorf("%q", got)
	}
	if len(unread) != 4 {
		t.Errorf("%v", unread)
	}
	for _, err := range unread {
		if strings.Contains(err.Error(), "Zq7") {
			t.Errorf("%v tells a value", err)
		}
	}
	if _, unread := (Source{Project: project + "/none", Home: project + "/none"}).Find(); len(unread) != 1 {
		t.Errorf("a project that is not there: %v", unread)
	}
}

func TestBounds(t *testing.T) {
	project := t.TempDir()
	for i := range maxDotenv + 3 {
		write(t, fmt.Sprintf("%s/.env.%d", project, i), fmt.Sprintf("A_PASSWORD=Zq7-plover-%d\n", i))
	}
	found, unread := Source{Project: project}.Find()
	if len(found) != maxDotenv || len(unread) != 1 || !strings.Contains(unread[0].Error(), "3 files") {
		t.Errorf("%d found, %v", len(found), unread)
	}
	var environ []string
	for i := range maxFound + 1 {
		environ = append(environ, fmt.Sprintf("A_PASSWORD_%d=Zq7-plover-%d", i, i), fmt.Sprintf("B_PASSWORD_%d=Zq7-plover-%d", i, i))
	}
	found, unread = Source{Environ: environ}.Find()
	if len(found) != maxFound || len(unread) != 1 {
		t.Errorf("%d found, %v", len(found), unread)
	}
}

// FuzzVariables: any text has some variables, and each value stands in it, but for escapes.
func FuzzVariables(f *testing.F) {
	for _, text := range []string{"A=1\nB='x\ny'\n", "A=\"", "A=\"\\", "=\n==", "export A=`x", "A='x' y\nB=2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		variables(text, func(name, value string) {
			if name == "" || !strings.Contains(text, name) || !strings.ContainsAny(value, "\n\t\\\"$") && !strings.Contains(text, value) {
				t.Errorf("%q of %q: %q", name, text, value)
			}
		})
	})
}
