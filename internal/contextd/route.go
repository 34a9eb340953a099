package contextd

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tidepool/internal/wording"
)

// methods are the paths of gRPC by the service and the method of the JSON path: safeexec and bash.
type methods map[string]map[string]string

// methodsOf returns the methods of all services of a contract.
func methodsOf(file protoreflect.FileDescriptor) methods {
	all := make(methods)
	for i := range file.Services().Len() {
		service := file.Services().Get(i)
		paths := make(map[string]string)
		for j := range service.Methods().Len() {
			method := service.Methods().Get(j).Name()
			paths[strings.ToLower(string(method))] = "/" + string(service.FullName()) + "/" + string(method)
		}
		all[strings.ToLower(strings.TrimSuffix(string(service.Name()), "Service"))] = paths
	}
	all["ref"]["content"] = all["ref"]["getcontent"]
	return all
}

// names returns the full names of the services.
func (m methods) names() (names []string) {
	for _, paths := range m {
		for _, path := range paths {
			name, _, _ := strings.Cut(path[1:], "/")
			names = append(names, name)
			break
		}
	}
	slices.Sort(names)
	return names
}

// A routeError is a request that no method answers.
type routeError struct {
	code    connect.Code
	status  int
	message string
}

func (e *routeError) Error() string { return e.message }

// Status returns the status of the reply over HTTP/1.1.
func (e *routeError) Status() int { return e.status }

// route gives a request the path that gRPC has for its method. The error is a *routeError.
func (h *handler) route(r *http.Request) error {
	rest, isJSON := strings.CutPrefix(r.URL.Path, "/api/v1/")
	if !isJSON {
		return h.methods.check(r.URL.Path)
	}
	service, method, _ := strings.Cut(rest, "/")
	path, err := h.methods.find(service, method)
	if err != nil {
		return err
	}
	if r.Method != http.MethodPost {
		return &routeError{connect.CodeUnimplemented, http.StatusMethodNotAllowed, "/api/v1/" + rest + " takes POST only"}
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case kind == "application/json" && err == nil:
	case r.Header.Get("Content-Type") == "", kind == "application/x-www-form-urlencoded", kind == "text/plain": // what clients send that do not think of it
		r.Header.Set("Content-Type", "application/json")
	default:
		return &routeError{connect.CodeInvalidArgument, http.StatusUnsupportedMediaType, "the body must be JSON: send Content-Type: application/json"}
	}
	r.URL.Path = path
	return nil
}

// find returns the path of a method.
func (m methods) find(service, method string) (path string, err error) {
	paths, known := m[service]
	if !known {
		return "", missing("service", service, m)
	}
	if path, known = paths[method]; !known {
		return "", missing("method of "+service, method, paths)
	}
	return path, nil
}

// check returns why a path of gRPC leads nowhere.
func (m methods) check(path string) error {
	if isReflection(path) {
		return nil
	}
	service, method, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	known := make(map[string]map[string]string)
	for _, paths := range m {
		for _, path := range paths {
			service, method, _ := strings.Cut(path[1:], "/")
			if known[service] == nil {
				known[service] = make(map[string]string)
			}
			known[service][method] = path
		}
	}
	if known[service] == nil {
		return missing("service", service, known)
	}
	if known[service][method] == "" {
		return missing("method of "+service, method, known[service])
	}
	return nil
}

// missing says that there is no such name, and names the nearest, or all.
func missing[T any](what, name string, known map[string]T) error {
	message := fmt.Sprintf("there is no %s %q: %s", what, wording.Clip(name, 80), choice(name, keys(known)))
	return &routeError{connect.CodeUnimplemented, http.StatusNotFound, message}
}

// choice says which of the names may be meant.
func choice(name string, names []string) string {
	if near := wording.Nearest(name, names, 3); len(near) > 0 {
		return "did you mean " + strings.Join(near, ", ") + "?"
	}
	return "there are " + strings.Join(names, ", ")
}

func keys[T any](all map[string]T) (names []string) {
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// fail answers with an error, by the protocol of the request.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	known, status := connect.NewError(connect.CodeUnavailable, err), http.StatusServiceUnavailable
	var withStatus interface{ Status() int }
	if errors.As(err, &withStatus) {
		status = withStatus.Status()
		known = connect.NewError(codeOf(status), err)
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/grpc") && h.errors.IsSupported(r) {
		_ = h.errors.Write(w, r, known)
		return
	}
	text, failed := json.Marshal(map[string]string{"code": known.Code().String(), "message": err.Error()})
	if failed != nil { // a text can always be encoded
		text = []byte("{}")
	}
	w.Header().Set("Content-Type", "application/json")
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n'))
}

// codeOf returns the code of gRPC for a request that fails before its method begins.
func codeOf(status int) connect.Code {
	switch status {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return connect.CodeUnimplemented
	case http.StatusRequestEntityTooLarge:
		return connect.CodeResourceExhausted
	case http.StatusRequestTimeout:
		return connect.CodeDeadlineExceeded
	case http.StatusServiceUnavailable:
		return connect.CodeUnavailable
	}
	return connect.CodeInvalidArgument
}
