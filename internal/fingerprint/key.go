package fingerprint

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"tidepool/internal/state"
)

// keyFile is the name of the file of the key, in the state directory.
const keyFile = "scrub.key"

// KeyIn returns the key of the project with a state directory, and makes it if there is none: the agent and the daemon may both be the
// first. The file is for this user alone.
func KeyIn(dir *state.Dir) (Key, error) {
	file := dir.File(keyFile)
	data, err := file.Read(int64(len(Key{})))
	if err == nil && len(data) == len(Key{}) {
		return Key(data), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Key{}, fmt.Errorf("reading the key of fingerprints: %w", err)
	}
	key, err := makeKey(file)
	if err != nil {
		return Key{}, fmt.Errorf("making the key of fingerprints: %w", err)
	}
	return key, nil
}

// makeKey writes a new key, unless another process has just done so. Whoever has locked the file writes it.
func makeKey(file *state.File) (key Key, err error) {
	f, err := file.Open(os.O_RDWR | os.O_CREATE)
	if err != nil {
		return Key{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := lock(f); err != nil {
		return Key{}, err
	}
	if _, err := f.ReadAt(key[:], 0); err == nil {
		return key, nil
	} else if !errors.Is(err, io.EOF) {
		return Key{}, err
	}
	if _, err := rand.Read(key[:]); err != nil {
		return Key{}, err
	}
	_, err = f.WriteAt(key[:], 0) // what a full disk has cut is too short to be a key, and is written again
	return key, err
}

// Bounds of the wait for another process that writes the key: 200 ms.
const (
	lockAttempts = 100
	lockPause    = 2 * time.Millisecond
)

// lock locks a file for as long as it is open.
func lock(f *os.File) error {
	for range lockAttempts {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return err
		}
		time.Sleep(lockPause)
	}
	return errors.New("another process has locked the file for 200 ms")
}
