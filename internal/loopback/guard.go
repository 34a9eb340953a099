package loopback

import (
	"context"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"tidepool/internal/wording"
)

type prefixKey struct{}

// Prefix returns what precedes the path of an admitted request in the client's URL: "" or the token after a slash.
func Prefix(r *http.Request) string {
	prefix, _ := r.Context().Value(prefixKey{}).(string)
	return prefix
}

// Guard returns a handler that passes admitted requests to next, without their token.
func (p *Port) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !p.isOwn(r.Host):
			refuse(w, http.StatusMisdirectedRequest, "this port is not "+foreign(r.Host)+": ask "+p.URL())
		case !p.isOwnOrigin(r):
			refuse(w, http.StatusForbidden, "web pages may not use this port: a request has no Origin")
		default:
			admitted := p.admit(r)
			if admitted == nil {
				w.Header().Set("WWW-Authenticate", `Bearer realm="tidepool"`)
				refuse(w, http.StatusUnauthorized, p.missing(r))
				return
			}
			next.ServeHTTP(w, admitted)
		}
	})
}

// RefusePages returns a handler that refuses requests which a browser makes for a web page, and passes others to next. A socket that
// only its user can open needs no more: the Host of a request does not matter there.
func RefusePages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") != "" {
			refuse(w, http.StatusForbidden, "web pages may not use this socket: a request has no Origin")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func refuse(w http.ResponseWriter, status int, why string) { http.Error(w, why, status) }

// foreign returns a text of the client's for an error.
func foreign(text string) string { return strconv.Quote(wording.Line(wording.Visible(text), 60)) }

// isOwn reports whether a request's Host is this port.
func (p *Port) isOwn(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil || port != strconv.Itoa(int(p.address.Port())) {
		return false
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}

// isOwnOrigin reports whether a request may come from elsewhere than a web page of another site.
func (p *Port) isOwnOrigin(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
	default:
		return false
	}
	for _, origin := range r.Header.Values("Origin") {
		from, err := url.Parse(origin)
		if err != nil || from.Scheme != "http" || !p.isOwn(from.Host) {
			return false
		}
	}
	return true
}

// admit returns the request without its token; nil: it has none that is right.
func (p *Port) admit(r *http.Request) *http.Request {
	target, prefix := *r.URL, ""
	segment, rest, _ := strings.Cut(strings.TrimPrefix(target.Path, "/"), "/")
	query := target.Query()
	switch {
	case p.isToken(bearer(r)):
	case p.isToken(segment):
		target.Path, target.RawPath, prefix = "/"+rest, "", "/"+p.token
	case p.isToken(query.Get("token")):
		query.Del("token")
		target.RawQuery, prefix = query.Encode(), "/"+p.token
	default:
		return nil
	}
	admitted := r.WithContext(context.WithValue(r.Context(), prefixKey{}, prefix))
	admitted.URL, admitted.RequestURI = &target, target.RequestURI()
	admitted.Header = r.Header.Clone()
	admitted.Header.Del("Authorization")
	return admitted
}

// isToken compares in constant time.
func (p *Port) isToken(text string) bool {
	return subtle.ConstantTimeCompare([]byte(text), []byte(p.token)) == 1
}

// bearer returns the token of the header; "" if there is none.
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// missing returns why a request is not admitted, and what to do.
func (p *Port) missing(r *http.Request) string {
	why := "the request has no token"
	if bearer(r) != "" || r.URL.Query().Has("token") {
		why = "the token is not this daemon's, which has a new one since its start"
	}
	return fmt.Sprintf("%s: agent url prints the URL with it, and agent url --headers the header", why)
}
