package ollama

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/ollama/ollama/api"
)

// Options say which model of which server to ask. Endpoint and Model are
// required.
type Options struct {
	Endpoint    string            // "http://127.0.0.1:11434"
	Model       string            // "functiongemma:270m"
	Concurrency int               // requests at a time; 0: 1, as many as a server runs by default
	Timeout     time.Duration     // of one call once the model is loaded; 0: 30 s
	LoadTimeout time.Duration     // of loading the model; 0: 5 min, after which Ollama itself gives up
	KeepAlive   time.Duration     // how long the server keeps the model after a call; 0: 10 min
	Context     int               // num_ctx, in tokens; 0: 4096
	Predict     int               // num_predict, in tokens; 0: 128
	Remember    int               // answers that are kept, by the content of the request; 0: 4096; negative: none
	Record      *Recorder         // keeps prompts and answers; stays its owner's to close; nil: nothing does
	Transport   http.RoundTripper // nil: http.DefaultTransport
}

func (o Options) withDefaults() Options {
	o.Concurrency = cmp.Or(max(o.Concurrency, 0), 1)
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.LoadTimeout = cmp.Or(o.LoadTimeout, 5*time.Minute)
	o.KeepAlive = cmp.Or(o.KeepAlive, 10*time.Minute)
	o.Context = cmp.Or(max(o.Context, 0), 4096)
	o.Predict = cmp.Or(max(o.Predict, 0), 128)
	o.Remember = max(cmp.Or(o.Remember, 4096), 0)
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	return o
}

// A Client asks one model. It is safe for concurrent use. Goroutines: at most
// one, which loads the model; Close ends it.
type Client struct {
	options  Options
	endpoint *url.URL
	api      *api.Client
	slots    chan struct{} // holds one value per request that runs
	memory   *memory

	life    context.Context // ends with Close: a load belongs to the client, not to the caller who needs it first
	end     context.CancelFunc
	loaders sync.WaitGroup

	mu        sync.Mutex
	loading   *loading  // nil: none runs
	warmUntil time.Time // until then no load is needed
}

// A loading is one attempt to load the model.
type loading struct {
	done chan struct{} // closed at its end
	err  error         // read after done
}

// New checks the options; it does not ask the server anything. Its error is an
// [*EndpointError] or says which option is missing.
func New(o Options) (*Client, error) {
	endpoint, err := parseEndpoint(o.Endpoint)
	if err != nil {
		return nil, err
	}
	if o.Model == "" {
		return nil, errors.New("no model is named: functiongemma:270m is the one this was made for")
	}
	c := &Client{options: o.withDefaults(), endpoint: endpoint}
	c.api = api.NewClient(endpoint, &http.Client{Transport: errorTransport{c.options.Transport}})
	c.slots = make(chan struct{}, c.options.Concurrency)
	c.memory = newMemory(c.options.Remember)
	c.life, c.end = context.WithCancel(context.Background())
	return c, nil
}

// Close aborts a load that runs, and waits for its end. Calls after Close fail.
func (c *Client) Close() {
	c.mu.Lock()
	c.end() // no load starts after this
	c.mu.Unlock()
	c.loaders.Wait()
}

// Model returns the name of the model.
func (c *Client) Model() string { return c.options.Model }

// Concurrency returns the number of requests that run at a time; more wait here.
func (c *Client) Concurrency() int { return c.options.Concurrency }

// Call asks for one call of p.Tool and returns its arguments. What was asked
// before, or is being asked, is not asked again. Every failure is an [*Error], but
// for the end of ctx, which is ctx's own error.
func (c *Client) Call(ctx context.Context, p Prompt) (Arguments, error) {
	return c.memory.answer(ctx, c.options.question(p), func() (Arguments, error) { return c.ask(ctx, p) })
}

func (c *Client) ask(ctx context.Context, p Prompt) (Arguments, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return Arguments{}, context.Cause(ctx)
	}
	if err := c.Load(ctx); err != nil {
		return Arguments{}, err
	}
	begun := time.Now()
	reply, err := c.chat(ctx, c.options.Timeout, c.options.callRequest(p))
	if err != nil {
		c.setWarm(0)
		c.options.Record.record(c.options.Model, p, begun, nil, err)
		return Arguments{}, err
	}
	c.setWarm(c.options.warmFor())
	arguments, err := c.options.checkReply(reply, p.Tool)
	err = c.complete(err)
	c.options.Record.record(c.options.Model, p, begun, reply, err)
	return arguments, err
}

// Load makes sure that the model is loaded; at once if it was used lately. A
// load that has begun goes on when ctx ends, for the next caller.
func (c *Client) Load(ctx context.Context) error {
	l := c.startLoading()
	if l == nil {
		return context.Cause(ctx) // nil while ctx lives
	}
	select {
	case <-l.done:
		return l.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// startLoading joins the load that runs, or starts one; nil if none is needed.
func (c *Client) startLoading() *loading {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := &loading{done: make(chan struct{})}
	switch {
	case c.life.Err() != nil:
		l.err = c.complete(&Error{Kind: Closed})
		close(l.done)
		return l
	case c.loading != nil, time.Now().Before(c.warmUntil):
		return c.loading
	}
	c.loading = l
	c.loaders.Go(func() { c.load(l) })
	return l
}

func (c *Client) load(l *loading) {
	defer close(l.done)
	reply, err := c.chat(c.life, c.options.LoadTimeout, c.options.chatRequest())
	switch {
	case c.life.Err() != nil:
		err = &Error{Kind: Closed}
	case err == nil:
		err = checkLoad(reply)
	}
	l.err = c.complete(err)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loading = nil
	if err == nil {
		c.warmUntil = time.Now().Add(c.options.warmFor())
	}
}

func (c *Client) setWarm(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.warmUntil = time.Now().Add(d)
}

// chat sends one request and returns the one reply.
func (c *Client) chat(ctx context.Context, timeout time.Duration, request *api.ChatRequest) (*api.ChatResponse, error) {
	within, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var reply *api.ChatResponse
	err := c.api.Chat(within, request, func(r api.ChatResponse) error {
		reply = &r
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case within.Err() != nil:
		err = &Error{Kind: TimedOut, Detail: timeout.String() + " have passed", Err: within.Err()}
	case err == nil && reply == nil:
		err = &Error{Kind: EmptyReply}
	case err != nil:
		err = asError(err)
	}
	return reply, c.complete(err)
}

// asError returns an error of the API's client as one of ours: the gate's own, or for
// what the gate did not see, a connection that failed or JSON of another shape.
func asError(err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	var transport *url.Error
	if errors.As(err, &transport) {
		return &Error{Kind: Unreachable, Detail: oneLine(transport.Err.Error()), Err: err}
	}
	return &Error{Kind: Malformed, Detail: oneLine(err.Error()), Err: err}
}

// complete tells an error which model of which server it is about.
func (c *Client) complete(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	whole := *e
	whole.Endpoint, whole.Model = c.endpoint.Redacted(), c.options.Model
	return &whole
}
