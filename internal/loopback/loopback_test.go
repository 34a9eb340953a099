package loopback

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/wording"
)

// opened opens a port whose handler tells the request that it was passed.
func opened(t *testing.T) (p *Port, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), ".tidepool")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	p, err := Open(dir, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	web := &http.Server{Handler: p.Guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s %q%v", r.RequestURI, r.URL.Path, Prefix(r), r.Header["Authorization"])
	}))}
	served := make(chan error, 1)
	go func() { served <- web.Serve(p.Listener()) }()
	t.Cleanup(func() {
		for _, err := range []error{web.Close(), <-served} {
			if err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) { // the test may have closed the port
				t.Error(err)
			}
		}
	})
	return p, dir
}

// Only a request with the token, the right Host and no foreign Origin is passed on, and without the token.
func TestGuard(t *testing.T) {
	p, _ := opened(t)
	token, own := p.token, p.URL()
	port := own[strings.LastIndexByte(own, ':'):]
	for name, test := range map[string]struct {
		path    string
		headers map[string]string
		status  int
		want    string
	}{
		"header":          {"/a?b=c", map[string]string{"Authorization": "bearer " + token}, 200, `/a?b=c /a ""[]`},
		"path":            {"/" + token + "/a/b?c=d", nil, 200, `/a/b?c=d /a/b "/` + token + `"[]`},
		"path alone":      {"/" + token, nil, 200, `/ / "/` + token + `"[]`},
		"query":           {"/a?token=" + token + "&b=c", nil, 200, `/a?b=c /a "/` + token + `"[]`},
		"localhost":       {"/a", map[string]string{"Host": "localhost" + port, "Authorization": "Bearer " + token}, 200, "/a"},
		"own page":        {"/" + token + "/a", map[string]string{"Origin": own}, 200, "/a"},
		"no token":        {"/a", nil, 401, "the request has no token: agent url"},
		"old token":       {"/a", map[string]string{"Authorization": "Bearer " + strings.Repeat("a", len(token))}, 401, "a new one since its start"},
		"part of it":      {"/" + token[1:] + "/a", nil, 401, "no token"},
		"other scheme":    {"/a", map[string]string{"Authorization": "Basic " + token}, 401, "no token"},
		"page":            {"/" + token + "/a", map[string]string{"Origin": "https://evil.example"}, 403, "web pages may not"},
		"page of a file":  {"/" + token + "/a", map[string]string{"Origin": "null"}, 403, "web pages may not"},
		"page next door":  {"/" + token + "/a", map[string]string{"Origin": "http://127.0.0.1:1"}, 403, "web pages may not"},
		"image in a page": {"/" + token + "/a", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403, "web pages may not"},
		"rebound name":    {"/" + token + "/a", map[string]string{"Host": "evil.example" + port}, 421, `this port is not "evil.example:`},
		"other port":      {"/" + token + "/a", map[string]string{"Host": "127.0.0.1:1"}, 421, "this port is not"},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, own+test.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for key, value := range test.headers {
			r.Header.Set(key, value)
		}
		if host := test.headers["Host"]; host != "" {
			r.Host = host
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != test.status || !strings.Contains(string(body), test.want) {
			t.Errorf("%s: %s %s, %v", name, response.Status, body, err)
		}
		if (response.StatusCode == 401) != (response.Header.Get("WWW-Authenticate") != "") {
			t.Errorf("%s: %v", name, response.Header)
		}
	}
}

// The record is the user's alone, and is gone with the port. A new start has a new token.
func TestRecord(t *testing.T) {
	p, dir := opened(t)
	first, err := Load(dir)
	if err != nil || *first != *p.Record() || first.PID != os.Getpid() || first.Address() != p.URL()+"/"+p.token {
		t.Fatalf("%+v, %v", first, err)
	}
	if info, err := os.Stat(filepath.Join(dir, recordName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	second, err := Open(dir, "[::1]:0")
	if err != nil {
		t.Fatal(err)
	}
	if second.token == p.token || !strings.HasPrefix(second.URL(), "http://[::1]:") {
		t.Errorf("%+v", second.Record())
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	if record, err := Load(dir); record != nil || err != nil {
		t.Errorf("after the close: %+v, %v", record, err)
	}
	if err := os.WriteFile(filepath.Join(dir, recordName), []byte(`{"pid":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if record, _ := Load(dir); record == nil || record.PID != 1 {
		t.Errorf("the record of another daemon is gone")
	}
	if none, err := Open(dir, ""); none != nil || err != nil {
		t.Errorf("%+v, %v", none, err)
	}
	if record, err := Load(dir); record != nil || err != nil {
		t.Errorf("what a killed daemon left: %+v, %v", record, err)
	}
}

// TestAddresses: addresses that other machines reach are refused, and so is a port in use.
func TestAddresses(t *testing.T) {
	p, dir := opened(t)
	for address, want := range map[string]string{
		"0.0.0.0:0": "every address", "[::]:0": "every address", "192.168.0.1:80": "no address of the loopback", "localhost:0": "no IP address",
		"[::ffff:10.0.0.1]:0": "no address of the loopback", strings.TrimPrefix(p.URL(), "http://"): "is in use",
	} {
		_, err := Open(dir, address)
		if err == nil || !strings.Contains(err.Error(), want) || wording.HintOf(err) == "" {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestRefusePages(t *testing.T) {
	for origin, want := range map[string]int{"": 200, "null": 403, "http://evil.example": 403} {
		w := httptest.NewRecorder()
		r := &http.Request{Header: http.Header{}}
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		RefusePages(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%q: %d", origin, w.Code)
		}
	}
}
