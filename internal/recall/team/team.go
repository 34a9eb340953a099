package team

import (
	"cmp"
	"context"
	"errors"
	"os/user"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tidepool/internal/scrub"
)

// answerTimeout is how long one request may take in all, whoever asks. Connecting is part of it.
const answerTimeout = 10 * time.Second

// Options say which database to use. Address and Scrub are required.
type Options struct {
	Address string           // as libpq takes it: "postgres://maria@db.example/tidepool?sslmode=verify-full"; without a password
	Author  string           // who saves, for the others to read; "": the name of this user
	Scrub   *scrub.Scrubber  // removes secrets from what is saved
	Now     func() time.Time // nil: time.Now
}

// A Team is the memories that a team shares. It is safe for concurrent use. Goroutines: at most one for each of its connections, which
// makes a request, and those of the pool of connections; Close ends them and waits for them.
type Team struct {
	options Options
	name    string // of the database, for people
	pool    *pgxpool.Pool
	breaker *breaker
	slots   chan struct{} // holds one value for each request at work

	life     context.Context // ends with Close
	end      context.CancelFunc
	mu       sync.Mutex // guards what follows
	prepared bool       // the schema was seen to be the one that this program knows
	requests sync.WaitGroup
}

// Open checks the options and starts to connect, which it does not wait for. Its error is an *AddressError, or says which option is
// missing. The caller closes the team.
func Open(o Options) (*Team, error) {
	if o.Scrub == nil {
		return nil, errors.New("team: nothing removes secrets")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Author = cmp.Or(o.Author, userName())
	config, err := parse(o.Address)
	if err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	pool, err := pgxpool.NewWithConfig(life, config)
	if err != nil {
		end()
		return nil, &AddressError{"the driver does not take it"}
	}
	t := &Team{options: o, name: name(config), pool: pool, slots: make(chan struct{}, connections), life: life, end: end}
	t.breaker = &breaker{name: t.name, now: o.Now}
	t.warm()
	return t, nil
}

// warm connects in the background, so that a prompt finds a connection.
func (t *Team) warm() {
	expired, cancel := context.WithCancel(context.Background())
	cancel()
	_, _ = request(expired, t, func(context.Context) (struct{}, error) { return struct{}{}, nil }) // its outcome is the breaker's
}

// userName returns the name of this user, "somebody" if the system does not know it.
func userName() string {
	u, err := user.Current()
	if err != nil {
		return "somebody"
	}
	return u.Username
}

// Close ends what is at work, and waits for its end. Requests after Close fail.
func (t *Team) Close() {
	t.mu.Lock()
	t.end() // no request begins after this
	t.mu.Unlock()
	t.requests.Wait()
	t.pool.Close()
}

// Name returns database and host, for people.
func (t *Team) Name() string { return t.name }
