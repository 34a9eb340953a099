package planted

// Harmless returns lines as programs print them that have no secret, though some look as if. No rule was made or changed by them.
func Harmless() []string {
	return []string{
		"commit 3f786850e387550fdab836ed7e6dc881de23001b (HEAD -> main, origin/main)",
		"a1b2c3d4 (Jane Doe 2024-03-01 12:00:00 +0100  42) \ttoken := lexer.Next()",
		"index 83db48f..bf269f4 100644", "Merge: 1a2b3c4 5d6e7f8", "Author: Jane Doe <jane.doe@example.com>",
		"ok  \tgithub.com/corp/app/internal/token\t0.412s", "--- FAIL: TestPasswordReset (0.03s)", "    auth_test.go:42: token expired: got 401, want 200",
		"=== RUN   TestSecretsAreRotated/with_two_keys", "PASS: src/auth/password.test.ts (12.3 s)", "coverage: 81.4% of statements in ./internal/secret/...",
		"FAILED tests/test_auth.py::test_login_wrong_password - AssertionError: assert 401 == 200", "E       KeyError: 'api_key'",
		"npm warn deprecated har-validator@5.1.5: this library is no longer supported", "added 1423 packages, and audited 1424 packages in 31s",
		"+ js-tokens@9.0.1", "├── jsonwebtoken@9.0.2", "Requirement already satisfied: cryptography==42.0.5 in ./venv/lib/python3.12/site-packages (42.0.5)",
		"go: downloading golang.org/x/crypto v0.31.0", "golang.org/x/crypto v0.31.0/go.mod h1:kDsLvtWBEx7MV9tJOj9bnXsPbxwJQ6csT/x4KIN4Ssk=",
		"Compiling ring v0.17.8", "Digest: sha256:2d1f1d5a1c8f2e3b4a5968776655443322110fedcba9876543210abcdef01234", "sha256:a3ed95caeb02ffe68cdd9fd84406680ae93d663cb16422d00e8a7c22955b46d4: Pull complete",
		"CONTAINER ID   IMAGE          COMMAND                  CREATED", "9f2b4c6d8e0a   postgres:16    \"docker-entrypoint.s…\"   2 hours ago   Up 2 hours",
		"pod/api-7d9c5b8f6d-x2k4q   1/1     Running   0          3d4h", "secret/db-credentials created", "NAME                  TYPE                                  DATA   AGE",
		"default-token-8xk2p   kubernetes.io/service-account-token   3      41d", "password: <redacted>", "Password: ", "Enter passphrase for key '/home/me/.ssh/id_ed25519': ",
		"Please set the API_KEY environment variable", "usage: login [--token TOKEN] [--password-stdin] [--secret-file PATH]", "  --api-key string      the key (default from $API_KEY)",
		"const tokenPattern = /[A-Za-z0-9_-]{20,}/", "type Token struct { Kind TokenKind; Text string }", "func (p *Parser) expectToken(want TokenKind) error {",
		"password = getpass.getpass('Password: ')", "secret = os.environ['APP_SECRET']", "const secret = process.env.JWT_SECRET || ''", "apiKey: config.get<string>('services.maps.apiKey'),",
		"token: ${{ secrets.GITHUB_TOKEN }}", "password: {{ .Values.database.password | quote }}", "PASSWORD=${PASSWORD:?must be set}", "SECRET_KEY_BASE=$(openssl rand -hex 64)",
		"key: value", "primary_key: true", "foreign key constraint \"orders_user_id_fkey\" violated", "Duplicate entry 'a@b.c' for key 'users.email_unique'", "cache key: node-modules-linux-x64-3f2a1b4c5d6e7f80",
		"ETag: \"33a64df551425fcc55e4d42a148795d9f25f89d4\"", "X-Request-Id: 7b2f9c1e-4d3a-4f6b-8e5d-0a1b2c3d4e5f", "Content-Security-Policy: script-src 'nonce-Nc3n83cnSAd3wc3Sasdfn939hc3'",
		"traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "goroutine 1 [running]:", "\t/usr/local/go/src/runtime/panic.go:884 +0x212 fp=0xc00009fe58 sp=0xc00009fd98 pc=0x43a9f2",
		"0x00007ffff7dd5000 0x00007ffff7dfc000 r-xp /lib64/ld-linux-x86-64.so.2", "00000000  89 50 4e 47 0d 0a 1a 0a  00 00 00 0d 49 48 44 52  |.PNG........IHDR|",
		"-rw-r--r-- 1 me me 1679 Jan  5 10:22 server.key", "SHA256:uNiVztksCsDhcc0u9e8BrXU5pLMfXbWm2Dm9s0YvZ5c me@host (ED25519)", "Fingerprint: 4A6F 1D3C 9B2E 8F70 5D1C  A2B3 C4D5 E6F7 0819 2A3B",
		"https://github.com/corp/app/blob/3f786850e387550fdab836ed7e6dc881de23001b/auth/token.go#L42", "https://cdn.example.com/assets/index-DiwrgTda.js", "git@github.com:corp/app.git",
		"warning: LF will be replaced by CRLF in config/credentials.yml.enc", "error TS2339: Property 'password' does not exist on type 'User'.", "src/token.ts(12,5): error TS2322: Type 'string' is not assignable to type 'Token'.",
		"{\"type\":\"access_token\",\"expires_in\":3600,\"scope\":\"read write\"}", "\"tokens_used\": 1532, \"max_tokens\": 4096", "prompt_tokens=812 completion_tokens=144 total_tokens=956",
		"level=info msg=\"token refreshed\" user=42 expires=2026-11-22T22:00:00Z", "auth: method=publickey user=deploy result=ok", "Accepted publickey for git from 10.0.0.5 port 51514 ssh2: ED25519 SHA256:AbCdEf0123456789abcdefghijklmnopqrstuvwxyzA",
		"The password must have at least 12 characters, one digit and one symbol.", "Wrong password, try again.", "Your token has expired; run `corp login` again.", "Secrets: 3 found, 0 changed",
		"data-testid=\"password-input-field-2\" aria-label=\"Password\"", ".token-keyword-2 { color: #07a; }", "<input type=\"password\" name=\"password\" autocomplete=\"current-password\">",
	}
}
