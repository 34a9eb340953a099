package knownitem

import (
	"math/rand/v2"
	"strings"
)

// Dialogues returns turns about problems of parts of a program, one for each pair of a part and a problem, in an order that a fixed seed
// has chosen, with small turns between them that say nothing of their own. Prompts, answers and queries are of texts in this package.
func Dialogues() Set {
	const asked = 400
	set := Set{Name: "dialogues"}
	random := rand.New(rand.NewPCG(1, 7))
	subjects, problems := subjects(), problems()
	for i, n := range random.Perm(len(subjects) * len(problems)) {
		s, p := subjects[n%len(subjects)], problems[n/len(subjects)]
		if i < asked {
			set.Queries = append(set.Queries, Query{Text: p.query(random, s), Turn: len(set.Turns), Tuning: i%2 == 0})
		}
		set.Turns = append(set.Turns, Turn{
			Prompt: s.fill(pick(random, p.prompts), s.first),
			Prose:  s.fill(pick(random, p.answers), s.first),
			Code:   s.fill(p.code, s.first),
			Files:  []string{s.file, strings.TrimSuffix(s.file, ".go") + "_test.go"},
		})
		if random.IntN(3) == 0 {
			set.Turns = append(set.Turns, Turn{Prompt: pick(random, fillers()), Prose: s.fill("Done: {f} is as you want it, and its tests pass.", s.first), Files: []string{s.file}})
		}
	}
	return set
}

// query returns what somebody types who remembers the problem: as often in the words of whoever reported it as in those of its solution.
func (p problem) query(random *rand.Rand, s subject) string {
	called := s.later
	if random.IntN(2) == 0 {
		called = s.first
	}
	if random.IntN(2) == 0 {
		return s.fill(pick(random, p.own), called)
	}
	return s.fill(pick(random, p.queries), called)
}

func pick(random *rand.Rand, texts []string) string { return texts[random.IntN(len(texts))] }

func fillers() []string {
	return []string{
		"yes, do that", "ok, now commit it", "run the tests again", "thanks, looks good", "no, undo the last change", "and the docs?", "go on",
		"can you show me the diff first?", "use a table test for it", "please also rename the file",
	}
}

// A subject is a part of a program: its type, its file, what a person calls it at first and later on.
type subject struct{ name, file, first, later string }

// fill puts a subject into a text: {s} what a person calls it, {N} its type, {v} a variable of it, {f} its file.
func (s subject) fill(text, called string) string {
	variable := strings.ToLower(s.name[:1]) + s.name[1:]
	return strings.NewReplacer("{s}", called, "{N}", s.name, "{v}", variable, "{f}", s.file).Replace(text)
}

func subjects() []subject {
	return []subject{
		{"RetryPolicy", "gateway/retry.go", "the retries to the gateway", "gateway retry policy"},
		{"SessionCache", "auth/session_cache.go", "the cache of sessions", "session cache"},
		{"InvoiceExporter", "billing/invoice_export.go", "the export of invoices", "invoice exporter"},
		{"WebhookSender", "notify/webhook.go", "sending of webhooks", "webhook delivery"},
		{"ImageResizer", "media/resize.go", "the thumbnails", "image resizing"},
		{"SearchIndexer", "search/indexer.go", "the indexing of products", "search indexer"},
		{"RateLimiter", "api/ratelimit.go", "the limit of requests per client", "rate limiter"},
		{"ConfigLoader", "config/load.go", "reading the settings", "config loading"},
		{"MigrationRunner", "db/migrate.go", "the migrations of the schema", "schema migration"},
		{"LoginForm", "web/login_form.go", "the page for signing in", "login form"},
		{"CartTotal", "shop/cart_total.go", "the sum in the basket", "cart total"},
		{"MailQueue", "mail/queue.go", "the outgoing mail", "mail queue"},
		{"TokenRefresher", "auth/token_refresh.go", "renewing the access token", "token refresh"},
		{"CsvImporter", "importer/csv.go", "the upload of spreadsheets", "CSV import"},
		{"JobScheduler", "jobs/scheduler.go", "the nightly jobs", "job scheduler"},
		{"MetricsReporter", "metrics/report.go", "the numbers on the dashboard", "metrics reporter"},
		{"FileWatcher", "watch/watcher.go", "noticing changed files", "file watcher"},
		{"HeaderParser", "http/header_parser.go", "parsing of headers", "HTTP header parser"},
		{"PasswordReset", "auth/password_reset.go", "the forgotten-password mail", "password reset"},
		{"StockCounter", "shop/stock.go", "the number of items left", "stock counter"},
		{"LogRotator", "logging/rotate.go", "cutting off old logs", "log rotation"},
		{"ChatSocket", "chat/socket.go", "the live chat connection", "chat websocket"},
		{"BackupUploader", "backup/upload.go", "copying backups to the bucket", "backup upload"},
		{"FeatureFlags", "flags/flags.go", "switching features on for some users", "feature flags"},
		{"AddressForm", "shop/address_form.go", "entering the delivery address", "shipping address form"},
		{"PdfRenderer", "print/pdf.go", "the printed documents", "PDF rendering"},
	}
}

// A problem is what goes wrong with a subject.
type problem struct {
	prompts, answers []string
	code             string
	own, queries     []string // in the words of the prompts; in those of the field
}
