package upgrade

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

const (
	maxTarball = 256 << 20 // bytes
	maxSums    = 1 << 20   // bytes of SHA256SUMS
	sumsName   = "SHA256SUMS"

	headerLimit  = 30 * time.Second // for a server's first answer
	maxRedirects = 5
)

// fetch copies the tarball into work, checks its checksum, and returns the path of the copy. What is unpacked is what was checked.
func fetch(ctx context.Context, from, sum, work string) (string, error) {
	place, err := newOrigin(from)
	if err != nil {
		return "", err
	}
	if err := place.exists(); err != nil {
		return "", err
	}
	if sum == "" {
		if sum, err = place.wanted(ctx); err != nil {
			return "", err
		}
	}
	copied := filepath.Join(work, "tarball")
	got, err := place.copyTo(ctx, copied, maxTarball)
	if err != nil {
		return "", err
	}
	if !strings.EqualFold(got, sum) {
		return "", &upgradeError{
			fmt.Sprintf("the checksum of %s is %s, not %s", place.name, got, sum),
			"the file is damaged, or another one: download it again",
		}
	}
	return copied, nil
}

// An origin is where a tarball is. Its checksums are beside it.
type origin struct {
	name      string // of the tarball
	directory string // of a file
	url       *url.URL
}

func newOrigin(from string) (*origin, error) {
	if !strings.Contains(from, "://") {
		return &origin{name: filepath.Base(from), directory: filepath.Dir(from)}, nil
	}
	u, err := url.Parse(from)
	switch {
	case err != nil:
		return nil, &upgradeError{"the URL cannot be read: " + err.Error(), "name the URL of a tarball, or a file"}
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, &upgradeError{"the URL has a user, a query or a fragment", "name the URL of the tarball alone, or download it and name the file"}
	case u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())):
		return nil, &upgradeError{from + " is not asked: it is neither https nor on this machine", "name an https URL, or download the tarball and name the file"}
	}
	return &origin{name: path.Base(u.Path), url: u}, nil
}

func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// open opens a file beside the tarball, or the tarball itself.
func (o *origin) open(ctx context.Context, name string) (io.ReadCloser, error) {
	if o.url != nil {
		return download(ctx, o.url.JoinPath("..", name).String())
	}
	file := filepath.Join(o.directory, name)
	if err := isFile(file); err != nil {
		return nil, err
	}
	return os.Open(file)
}

// exists refuses a tarball that is no file here. One at a URL is asked for later.
func (o *origin) exists() error {
	if o.url != nil {
		return nil
	}
	return isFile(filepath.Join(o.directory, o.name))
}

func isFile(file string) error {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return &upgradeError{"there is no file " + file, "name the tarball of a release, and keep SHA256SUMS beside it or give --sha256"}
	case err != nil:
		return err
	case !info.Mode().IsRegular(): // a pipe would never end
		return &upgradeError{file + " is no file", "name the tarball of a release"}
	}
	return nil
}

// wanted returns the checksum that the list beside the tarball has for it.
func (o *origin) wanted(ctx context.Context) (string, error) {
	list, err := o.open(ctx, sumsName)
	if err != nil {
		return "", err
	}
	defer list.Close()
	text, err := io.ReadAll(io.LimitReader(list, maxSums))
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", sumsName, err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 2 && strings.TrimPrefix(fields[1], "*") == o.name {
			return fields[0], nil
		}
	}
	return "", &upgradeError{sumsName + " does not name " + o.name, "keep the name that the tarball had, or give the checksum by --sha256"}
}

// copyTo copies the tarball, of most bytes at most, to a file, and returns its checksum.
func (o *origin) copyTo(ctx context.Context, file string, most int64) (sum string, err error) {
	in, err := o.open(ctx, o.name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, hash), io.LimitReader(in, most+1))
	if err = errors.Join(err, out.Close()); err != nil {
		return "", fmt.Errorf("reading %s: %w", o.name, err)
	}
	if n > most {
		return "", &upgradeError{fmt.Sprintf("%s has more than %d bytes", o.name, most), "name the tarball of a release"}
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// download asks for a URL. Redirects lead to https only.
func download(ctx context.Context, from string) (io.ReadCloser, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = headerLimit
	transport.DisableCompression = true // the checksum is of the bytes as they are
	client := &http.Client{Transport: transport, CheckRedirect: func(next *http.Request, before []*http.Request) error {
		if next.URL.Scheme != "https" {
			return errors.New("it is redirected to a URL that is not https")
		}
		if len(before) > maxRedirects {
			return errors.New("it is redirected too often")
		}
		return nil
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, &upgradeError{"it cannot be downloaded: " + err.Error(), "try again, or download the tarball and name the file"}
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		return nil, &upgradeError{fmt.Sprintf("%s cannot be downloaded: the server answers %s", from, response.Status), "check the URL; beside the tarball there must be " + sumsName + ", unless --sha256 is given"}
	}
	return response.Body, nil
}
