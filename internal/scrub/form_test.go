package scrub

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestOwnForms(t *testing.T) {
	s := newScrubber(t)
	for _, test := range []struct{ text, secret, kind string }{
		{"git clone https://me:s3cr3t!pw@example.com/x.git", "s3cr3t!pw", "url-password"},
		{"DATABASE_URL=postgres://app:hunter2@db:5432/x", "hunter2", "url-password"},
		{"redis://:p@ssw0rd@cache/0", "p@ssw0rd", "url-password"},
		{"amqp://u:" + strings.Repeat("x7", 40) + "@[::1]:5672", strings.Repeat("x7", 40), "url-password"},
		{"https://a8f3kd92mslq04jdnwpx@git.example.com/x", "a8f3kd92mslq04jdnwpx", "url-token"},
		{"> Authorization: Bearer a1b2c3d4e5f6g7", "a1b2c3d4e5f6g7", "authorization-header"},
		{"authorization: Basic dXNlcjpwYXNzMTIz", "dXNlcjpwYXNzMTIz", "authorization-header"},
		{`headers={"Authorization": "token 9f8e7d6c5b4a"}`, "9f8e7d6c5b4a", "authorization-header"},
		{"Proxy-Authorization: Basic dXNlcjpwYXNzMTIz", "dXNlcjpwYXNzMTIz", "authorization-header"},
		{"curl -sSfu admin:Tr0ub4dor https://example.com", "Tr0ub4dor", "curl-user"},
		{"curl --proxy-user me:abc9 \\\n  -o x https://example.com", "abc9", "curl-user"},
		{"machine api.example.com\n  login me\n  password tGf7-pq\n", "tGf7-pq", "netrc-password"},
		{"default login anonymous password me@home", "me@home", "netrc-password"},
		{`{"auths": {"https://index.docker.io/v1/": {"auth": "bWU6c2VjcmV0cGFzcw=="}}}`, "bWU6c2VjcmV0cGFzcw==", "docker-auth"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAv0\nq7Hk9eXz0aB1cD2eF3\n", "q7Hk9eXz0aB1cD2eF3", "private-key"},
		{"DB_PASSWORD=Tr0ub4dor&3", "Tr0ub4dor", assignment},
		{"export PGPASSWORD=zx81-spec", "zx81-spec", assignment},
		{`"password": "s3cr3t!pw"`, "s3cr3t!pw", assignment},
		{"password: Hunter2hunter", "Hunter2hunter", assignment},
		{"spring.datasource.password=Ab3-xk9_q\n", "Ab3-xk9_q", assignment},
		{"mysql --host db --password=Ab3-xk9_q", "Ab3-xk9_q", assignment},
		{"vault login --token k3j2h1g0f9", "k3j2h1g0f9", assignment},
		{`client_secret => 'q9w8e7r6t5'`, "q9w8e7r6t5", assignment},
		{"define('DB_PASSWORD', 'zX81-spec');", "zX81-spec", assignment},
		{"level=info user=app password=zX81-spec attempt=2", "zX81-spec", assignment},
		{"Server=db;Password=zX81-spec;Encrypt=true", "zX81-spec", assignment},
		{"<password>zx81-spec</password>", "zx81-spec", assignment},
		{"| db_password | zX81-spec |", "zX81-spec", assignment},
		{"GET /cb?access_token=a8Fk3Dd92mSlq04j&x=1", "a8Fk3Dd92mSlq04j", assignment},
		{"GET /cb#secret=a8f3kd92mslq04jdnwpx", "a8f3kd92mslq04jdnwpx", assignment},
		{"token=" + strings.Repeat("aB3d5F7hJ9", 90), "aB3d5F7hJ9", assignment},
		{"< X-Auth-Token: a8f3kd92mslq04", "a8f3kd92mslq04", assignment},
		{"Cookie: theme=dark; sid=a8f3kd92mslq04jdnwpx; lang=en", "a8f3kd92mslq04jdnwpx", "cookie"},
		{"set-cookie: session=a8f3kd92mslq04jdnwpx; HttpOnly", "a8f3kd92mslq04jdnwpx", "cookie"},
		{"mysql -u root -pTr0ub4dor app", "Tr0ub4dor", "login-password"},
		{"sshpass -p 'Tr0ub4dor' ssh host", "Tr0ub4dor", "login-password"},
		{"docker login -u me -p Tr0ub4dor", "Tr0ub4dor", "login-password"},
		{"AccountKey=" + strings.Repeat("aB3/", 21) + "aB==", "aB3/", "azure-key"},
		{"xai-" + strings.Repeat("aB3d5F7hJ9", 4), "aB3d5F7hJ9", "service-token"},
		{"+-----BEGIN RSA PRIVATE KEY-----\n+MIIEowIBAAKCAQEAv0\n+q7Hk9eXz0aB1cD2eF3\n", "q7Hk9eXz0aB1cD2eF3", "private-key"},
		{" 7 | -----BEGIN EC PRIVATE KEY-----\n 8 | MIIEowIBAAKCAQEAv0\n 9 | q7Hk9eXz0aB1cD2eF3\n", "q7Hk9eXz0aB1cD2eF3", "private-key"},
		{base64.StdEncoding.EncodeToString([]byte("DATABASE_URL=postgres://app:hunter2hunter2@db/x")), "aHVudGVyMmh1bnRlcj", "url-password"},
	} {
		got, found := s.Text(test.text)
		if strings.Contains(got, test.secret) || len(found) != 1 || found[0].Rule != test.kind {
			t.Errorf("%q: %q, %v, want %s", test.text, got, found, test.kind)
		}
		if again, found := s.Text(got); again != got || len(found) > 0 {
			t.Errorf("searched twice, %q is %q, %v", got, again, found)
		}
	}
}

// What only looks like a secret stays.
func TestHarmless(t *testing.T) {
	s := newScrubber(t)
	for _, text := range []string{
		"https://user:password@example.com", "https://$USER:$TOKEN@example.com", "https://<user>:<password>@host/", "http://localhost:8080/a@b",
		"git@github.com:me/x.git", "ssh://git@example.com/x", "https://example.com/@scope/name", "see http://a.b/c: it@d",
		"Authorization: Bearer $TOKEN", "Authorization: Bearer <token>", "Authorization: Bearer YOUR_TOKEN", "authorization: required",
		"curl -u $USER:$PASS https://example.com", "curl -u user:password https://example.com", "curl https://example.com | sort -u a:b",
		"the login and password are wrong", `"auth": "none"`, `"auth": "optional-2"`,
		"password := readPassword(stdin)", "token = parser.next()", "PASSWORD=$(cat file)", "password: string", "token: \"placeholder\"",
		"--token-file=/etc/tokens/one.txt", "the password: it is on the other side", "secretName: my-secret-name", "SECRET_NAME=prod-db-2024",
		"csrf-token=9f8e7d6c5b4a", "publicToken = \"9f8e7d6c5b4a\"", "PWD=/home/me/src/project1", "OLDPWD=/srv/a1b2c3d4",
		"commit 8f14e45fceea167a5a36dedd4bea2543b9d1a3c7", "tree 1f3870be274f6c49b3e31a0c6728957f1f3870be",
		"id: 123e4567-e89b-12d3-a456-426614174000", "request 0190a5c2-7b8e-7d3a-9f10-2b6c8d4e5f60 took 3 ms",
		"golang.org/x/oauth2 v0.35.0 h1:Mv2mzuHuZuY2+bkyWXIHMfhNdJAdwW3FuWeCPYN5GVQ=",
		"modernc.org/token v1.1.0/go.mod h1:UGzOrNV1mAFSEB63lOFHIpNRUVMvYTc6yu1SMY/XTDM=",
		`"integrity": "sha512-2BHqOz8VqJ3kNf4hVQ9tYwZxE5rC6bA1sD7eF8gH9iJ0kL1mN2oP3qR4sT5uV6wX7yZ8aB9cD0eF1gH2iJ3kLw=="`,
		`resolved "https://registry.yarnpkg.com/js-tokens/-/js-tokens-4.0.0.tgz#19203fb59991df98e3a287050d4647cdeaf32499"`,
		`{file = "oauthlib-3.2.2.whl", hash = "sha256:8139f29aac13e25d502680e9e19963e83f16838d48a0d71c287fe40e7067fbca"},`,
		`checksum = "sha256:8139f29aac13e25d502680e9e19963e83f16838d48a0d71c287fe40e7067fbca"`,
		"token@sha256:8139f29aac13e25d502680e9e19963e83f16838d48a0d71c287fe40e7067fbca",
		"![](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)",
		"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----",
		"Cookie: name=value; theme=dark", "set-cookie: lang=en; Path=/; Max-Age=31536000", "cookie := http.Cookie{Name: name}", "mysql -u root -p app", "mysql -h db -P3307 --protocol=tcp",
		"docker login -u me --password-stdin", "ssh -p 2222 host", "login with -p $PASSWORD", "<token>value</token>", "<password>{{ .Password }}</password>", "| token | varchar2 |", "| password | character varying(255) |",
		"/search?key=value&page=2", "/items?token=next-page-token", `t.Run("token", "twice1 three2", nil)`, `map[string]string{"password", "hunter22"}`, "sk-loading-circle-container-12",
		"token=line2.text next", "hf_hub_download_and_load_model_weights", "npm_config_user_agent_and_more_things",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx8vFZ5yQ0eGg3cZ7o0mYw1l5nG8f2q9sT4uV6wX7yZ me@host",
	} {
		if got, found := s.Text(text); got != text {
			t.Errorf("%q: %q, %v", text, got, found)
		}
	}
}

// This repository's source has no secrets; at most two findings a megabyte are wrong. Lock files have nothing that looks like one.
func TestHarmlessSource(t *testing.T) {
	s := newScrubber(t)
	for extension, most := range map[string]int{".go": 2, ".sum": 0, ".mod": 0} {
		text := repository(t, extension)
		_, found := s.Text(text)
		if limit := most * (len(text)>>20 + 1); len(found) > limit {
			t.Errorf("%d findings in %d bytes of %s, at most %d", len(found), len(text), extension, limit)
			for _, f := range found {
				t.Logf("%s: %q", f.Rule, text[max(0, f.Start-40):f.End])
			}
		}
	}
}
