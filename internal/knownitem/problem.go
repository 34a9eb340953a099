package knownitem

func problems() []problem {
	return []problem{
		{
			prompts: []string{"{s} sometimes hangs forever and I have to restart the server", "why does nothing move any more in {s} after an hour or so?"},
			answers: []string{
				"Two goroutines waited for each other: {N} held its mutex while it called back into the store, which wanted the same one. It now copies what it needs and unlocks first.",
				"It was a deadlock. The callback in {f} took the lock a second time. I moved the call behind the unlock and added a test with the race detector.",
			},
			code:    "func ({v} *{N}) Flush() {\n\t{v}.mu.Lock()\n\tpending := {v}.pending\n\t{v}.mu.Unlock()\n\t{v}.store.Save(pending)\n}",
			own:     []string{"when {s} hangs and needs a restart", "nothing moves after an hour in {s}"},
			queries: []string{"deadlock in {s}", "{s} blocked on mutex", "where we fixed the hang of {s}"},
		},
		{
			prompts: []string{"memory of the process grows all day, I suspect {s}", "can you find out who eats the RAM? perhaps {s}"},
			answers: []string{
				"{N} never removed entries from its map, so every key stayed. It is bounded now: 10,000 entries, the oldest leaves first.",
				"The heap profile points at {f}: each call kept its buffer alive by a slice of it. The slice is cloned now, and usage stays at 40 MB.",
			},
			code:    "if len({v}.entries) > maxEntries {\n\t{v}.evictOldest()\n}",
			own:     []string{"{s} and the memory that grows all day", "who eats the RAM, was it {s}?"},
			queries: []string{"memory leak {s}", "unbounded map in {s}", "{s} heap profile"},
		},
		{
			prompts: []string{"{s} is far too slow for big customers", "it takes eight seconds until {s} is through, please make that better"},
			answers: []string{
				"Most of the time went into one query for each row. {N} now loads all rows with a single JOIN: 8.1 s became 140 ms.",
				"The profile shows that {N} sorts inside of the loop. Sorting once before it is enough, and it is linear now.",
			},
			code:    "rows, err := db.QueryContext(ctx, selectAllWithItems, ids)",
			own:     []string{"{s} too slow for big customers", "eight seconds for {s}"},
			queries: []string{"slow {s}", "N+1 query in {s}", "performance of {s}"},
		},
		{
			prompts: []string{"{s} breaks with names like Müller or 東京", "umlauts come out as question marks in {s}"},
			answers: []string{
				"{N} cut the text by bytes and so split characters in two. It counts runes now and keeps UTF-8 valid.",
				"The file was read as Latin-1. {f} detects a byte order mark and otherwise takes UTF-8.",
			},
			code:    "text = strings.ToValidUTF8(string(runes[:limit]), \"\\uFFFD\")",
			own:     []string{"names like Müller in {s}", "umlauts question marks {s}"},
			queries: []string{"unicode bug {s}", "{s} encoding of special characters", "UTF-8 handling {s}"},
		},
		{
			prompts: []string{"the test of {s} fails once in a while, only on CI", "{s} has a test that is red every tenth run"},
			answers: []string{
				"The test slept for 50 ms and hoped. It now waits for the event itself, with synctest, and passed 2,000 times in a row.",
				"Two tests shared a port. Each has a listener of its own now, on port 0.",
			},
			code:    "synctest.Test(t, func(t *testing.T) {\n\t{v} := New{N}()\n\tsynctest.Wait()\n})",
			own:     []string{"{s} test that fails only on CI", "test of {s} red every tenth run"},
			queries: []string{"flaky test {s}", "unstable CI test for {s}", "intermittent failure {s}"},
		},
		{
			prompts: []string{"after the change to summer time {s} is off by one hour", "dates in {s} are wrong for people in New York"},
			answers: []string{
				"{N} stored local times without a zone. Everything is UTC in the database now, and converted only for display.",
				"Adding 24 hours is not the next day when clocks change. {f} uses AddDate in the location of the user.",
			},
			code:    "next := start.In(location).AddDate(0, 0, 1)",
			own:     []string{"summer time {s} one hour off", "wrong dates in New York, {s}"},
			queries: []string{"timezone bug {s}", "daylight saving {s}", "UTC conversion in {s}"},
		},
		{
			prompts: []string{"somebody can read foreign data through {s} if he guesses the number", "is {s} safe? a customer says he saw an order that is not his"},
			answers: []string{
				"There was no check whose record it is. {N} now takes the account from the session and compares it; a foreign id is answered like an unknown one.",
				"The id came from the request and was trusted. I added an authorization check in {f} and a test that tries it.",
			},
			code:    "if record.AccountID != session.AccountID {\n\treturn nil, ErrNotFound\n}",
			own:     []string{"guess the number and read foreign data in {s}", "customer saw an order that is not his, {s}"},
			queries: []string{"authorization hole {s}", "missing permission check in {s}", "{s} security ownership"},
		},
		{
			prompts: []string{"{s} did the same thing twice when the network was bad", "we have duplicates from {s} again"},
			answers: []string{
				"A request that timed out had in fact succeeded. {N} sends an idempotency key now, and the second attempt is recognised.",
				"The unique index was missing. I added it with a migration and made {f} treat the conflict as success.",
			},
			code:    "req.Header.Set(\"Idempotency-Key\", {v}.keyFor(job))",
			own:     []string{"{s} same thing twice when the network is bad", "{s} duplicates again"},
			queries: []string{"idempotency {s}", "{s} double execution", "duplicate records from {s}"},
		},
		{
			prompts: []string{"when the disk is full {s} loses everything", "the power went out and {s} left half a file behind"},
			answers: []string{
				"{N} wrote over the file in place. It writes a temporary file beside it, syncs, and renames.",
				"The error of Close was dropped, so nobody noticed. {f} returns it, and the old file stays until the new one is complete.",
			},
			code:    "if err := f.Sync(); err != nil {\n\treturn err\n}\nreturn os.Rename(tmp, path)",
			own:     []string{"{s} loses everything when the disk is full", "half a file after the power went out, {s}"},
			queries: []string{"atomic write {s}", "{s} crash safety rename", "corrupt file after power loss {s}"},
		},
		{
			prompts: []string{"how do I switch {s} off in development?", "I want to be able to change {s} without a new build"},
			answers: []string{
				"There is a setting for it now: an environment variable read at the start, documented in the README. {N} does nothing if it is off.",
				"I added a flag. Its default is what {N} did so far.",
			},
			code:    "flag.BoolVar(&options.Disable{N}, \"no-{v}\", false, \"\")",
			own:     []string{"how to switch {s} off in development", "{s}, changing without a new build"},
			queries: []string{"environment variable to disable {s}", "command line flag {s}", "{s} configurable"},
		},
		{
			prompts: []string{"the error message of {s} says nothing, what does 'failed' mean?", "nobody understands what to do when {s} reports a failure"},
			answers: []string{
				"{N} wraps the cause now and says which file, which row and what to try. The old text stays in the log.",
				"Errors in {f} were compared by text. They are typed now, each with a hint.",
			},
			code:    "return fmt.Errorf(\"%s: row %d: %w\", path, row, err)",
			own:     []string{"what does failed mean in {s}", "message of {s} says nothing"},
			queries: []string{"better error messages {s}", "wrapped errors in {s}", "{s} hint for the user"},
		},
		{
			prompts: []string{"please clean up {s}, I no longer find my way in there", "{s} has become a monster of 900 lines"},
			answers: []string{
				"I split {f} into three files, by what changes together, and removed two interfaces with one implementation. Behaviour is unchanged.",
				"{N} had two jobs. The reading is a type of its own now; nothing is exported that was not.",
			},
			code:    "type {N} struct {\n\treader *reader\n\twriter *writer\n}",
			own:     []string{"cleaning up {s}", "{s} monster of 900 lines"},
			queries: []string{"refactoring {s}", "split up {s} into smaller files", "restructure {s}"},
		},
		{
			prompts: []string{"since the update of the library {s} does not compile any more", "go vet complains about {s} after I upgraded everything"},
			answers: []string{
				"The new major version renamed the method and wants a context first. I changed the four calls in {f}.",
				"The function is deprecated. {N} uses its replacement, which returns an error besides.",
			},
			code:    "client, err := sdk.NewClient(ctx, sdk.WithEndpoint(endpoint))",
			own:     []string{"{s} does not compile since the update", "go vet complains after upgrade {s}"},
			queries: []string{"dependency upgrade broke {s}", "deprecated API in {s}", "{s} breaking change new version"},
		},
		{
			prompts: []string{"too many connections to the database when {s} runs", "postgres refuses us as soon as {s} starts"},
			answers: []string{
				"Rows were not closed when the loop ended early, so each left a connection behind. {N} closes them by defer now.",
				"The pool had no limit. It is 20 now, and {f} waits for a free one for at most two seconds.",
			},
			code:    "db.SetMaxOpenConns(20)\ndefer rows.Close()",
			own:     []string{"too many connections when {s} runs", "postgres refuses {s}"},
			queries: []string{"connection pool exhausted {s}", "leaked database connections {s}", "rows.Close missing in {s}"},
		},
		{
			prompts: []string{"{s} crashes with nil pointer when the list is empty", "panic in {s} if there is nothing to do"},
			answers: []string{
				"The first element was taken without looking whether there is one. {N} returns early now, and the empty case has a test.",
				"A missing answer was nil and then used. {f} checks for it and returns a typed error.",
			},
			code:    "if len({v}.items) == 0 {\n\treturn nil\n}",
			own:     []string{"{s} crashes when the list is empty", "nothing to do and {s} panics"},
			queries: []string{"nil dereference {s}", "{s} panics on empty input", "segfault in {s}"},
		},
		{
			prompts: []string{"I would like to see what {s} is doing while it runs", "can {s} tell us how far it is?"},
			answers: []string{
				"{N} reports progress now: a counter for what is done and a histogram of durations, both on the metrics page.",
				"I added structured log lines at the start and the end of each batch in {f}, with the number of items.",
			},
			code:    "slog.Info(\"batch done\", \"items\", n, \"took\", time.Since(start))",
			own:     []string{"look at {s} while it runs", "how far is {s}?"},
			queries: []string{"logging for {s}", "{s} progress metrics", "observability of {s}"},
		},
	}
}
