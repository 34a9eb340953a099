package contextd

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/grpcreflect"

	contextdv1 "tidepool/internal/contextd/v1"
	"tidepool/internal/contextd/v1/contextdv1connect"
	"tidepool/protocol"
)

// Options configures New. All must be set.
type Options struct {
	// Do makes a tool call. ctx is the HTTP request's context.
	Do func(ctx context.Context, r protocol.Request) protocol.Response
	// Body reads the body of a request. release ends the use of its memory, and is never nil. The error may have a method Status() int.
	Body func(w http.ResponseWriter, r *http.Request) (body []byte, release func(), err error)
}

const (
	maxMessage    = 1 << 20          // bytes of a message
	maxReflection = 64 << 10         // bytes of all requests of one call of server reflection
	readLimit     = 10 * time.Second // of a call of server reflection
	writeLimit    = 10 * time.Second // how long a client may take to accept a reply
)

// Serves reports whether a path may be that of a service, so that others need not answer it.
func Serves(path string) bool {
	return strings.HasPrefix(path, "/api/v1/") || strings.HasPrefix(path, "/contextd.") || isReflection(path)
}

func isReflection(path string) bool { return strings.HasPrefix(path, "/grpc.reflection.") }

// A handler answers requests for services.
type handler struct {
	body    func(http.ResponseWriter, *http.Request) ([]byte, func(), error)
	mux     *http.ServeMux // by the paths of gRPC
	methods methods
	errors  *connect.ErrorWriter
}

// New returns the handler of all paths that Serves reports.
func New(o Options) http.Handler {
	c := &caller{o.Do}
	h := &handler{body: o.Body, mux: http.NewServeMux(), methods: methodsOf(contextdv1.File_contextd_proto), errors: connect.NewErrorWriter()}
	options := []connect.HandlerOption{
		connect.WithReadMaxBytes(maxMessage), connect.WithCompression("gzip", nil, nil),
		connect.WithCodec(jsonCodec{"json"}), connect.WithCodec(jsonCodec{"json; charset=utf-8"}),
	}
	h.mux.Handle(contextdv1connect.NewSafeExecServiceHandler(safeExec{c}, options...))
	h.mux.Handle(contextdv1connect.NewRefServiceHandler(refs{c}, options...))
	h.mux.Handle(contextdv1connect.NewMemoryServiceHandler(memories{c}, options...))
	h.mux.Handle(contextdv1connect.NewCheckpointServiceHandler(checkpoints{c}, options...))
	h.mux.Handle(contextdv1connect.NewRemediationServiceHandler(remediations{c}, options...))
	h.mux.Handle(contextdv1connect.NewPolicyServiceHandler(policies{c}, options...))
	h.mux.Handle(contextdv1connect.NewSkillServiceHandler(skills{c}, options...))
	h.mux.Handle(contextdv1connect.NewAgentServiceHandler(agents{c}, options...))
	h.mux.Handle(contextdv1connect.NewSessionServiceHandler(sessions{c}, options...))
	h.mux.Handle(contextdv1connect.NewToolServiceHandler(anyTool{c}, options...))
	reflector := grpcreflect.NewStaticReflector(h.methods.names()...)
	h.mux.Handle(grpcreflect.NewHandlerV1(reflector, options...))
	h.mux.Handle(grpcreflect.NewHandlerV1Alpha(reflector, options...))
	return h
}

// ServeHTTP answers a request. It reads the body before the method begins.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h.route(r); err != nil {
		h.fail(w, r, err)
		return
	}
	w = &timedWriter{ResponseWriter: w}
	if isReflection(r.URL.Path) {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(readLimit))
		r.Body = http.MaxBytesReader(w, r.Body, maxReflection)
		h.mux.ServeHTTP(w, r)
		return
	}
	body, release, err := h.body(w, r)
	defer release()
	if err != nil {
		h.fail(w, r, err)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	h.mux.ServeHTTP(w, r)
}

// A timedWriter gives a client that does not read its reply up at the end of writeLimit.
type timedWriter struct {
	http.ResponseWriter
	begun bool
}

func (w *timedWriter) begin() {
	if !w.begun {
		w.begun = true
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(writeLimit))
	}
}

// WriteHeader begins the reply.
func (w *timedWriter) WriteHeader(status int) {
	w.begin()
	w.ResponseWriter.WriteHeader(status)
}

// Write writes a part of the reply.
func (w *timedWriter) Write(p []byte) (int, error) {
	w.begin()
	return w.ResponseWriter.Write(p)
}

// Flush sends what is written. Without it, connect streams nothing.
func (w *timedWriter) Flush() {
	w.begin()
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap returns the writer below, for http.ResponseController.
func (w *timedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
