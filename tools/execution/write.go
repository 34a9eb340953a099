package execution

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tidepool/internal/protected"
	"tidepool/internal/ref"
	"tidepool/internal/scrub"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// SafeWriteInput is what safe_write takes.
type SafeWriteInput struct {
	Path      string `json:"path" jsonschema:"minLength=1,maxLength=4096" jsonschema_description:"The file, absolute or relative to your directory. Directories that are missing are made."`
	Content   string `json:"content" jsonschema:"maxLength=4000000" jsonschema_description:"The whole content, or what is added with append."`
	Append    bool   `json:"append,omitempty" jsonschema_description:"Add at the end of the file instead of replacing it."`
	Expect    string `json:"expect,omitempty" jsonschema:"maxLength=64" jsonschema_description:"The hash that safe_read gave: if the file has changed since, nothing is written."`
	SessionID string `json:"session_id,omitempty" jsonschema:"maxLength=128" jsonschema_description:"Only for clients without hooks."`
}

// SafeWriteOutput is what safe_write returns.
type SafeWriteOutput struct {
	Summary      string `json:"summary"`
	BytesWritten int    `json:"bytes_written"`
	TokensUsed   int    `json:"tokens_used"` // about, of the text
	Hash         string `json:"hash"`        // of the file now, for expect
	Note         string `json:"note,omitempty"`

	text string
}

// SafeWrite writes a file of the project.
func (t *Toolset) SafeWrite(ctx context.Context, call tools.Call, in SafeWriteInput) (*SafeWriteOutput, error) {
	u, err := t.begin(ctx, call, in.SessionID, in.Path)
	if err != nil {
		return nil, err
	}
	path, written, err := t.write(ctx, u, in)
	if err != nil {
		return nil, u.refused(err)
	}
	u.entry.Bytes = int64(len(in.Content))
	u.hash(u.scrub(in.Content))
	lines := ref.Lines(in.Content)
	out := &SafeWriteOutput{
		Summary: fmt.Sprintf("Wrote %s to %s", wording.Count(lines, "line"), shownPath(path)), BytesWritten: len(in.Content), Hash: t.hashOf(written),
	}
	out.text = fmt.Sprintf("wrote %s to %s (%s bytes) · hash %s\n", count(lines, "line"), shownPath(path), number(len(in.Content)), out.Hash)
	if err := u.end(); err != nil {
		out.Note = err.Error()
		out.text += out.Note + "\n"
	}
	out.TokensUsed = tokensOf(out.text)
	return out, nil
}

// write writes the file, and returns its path below the project and its whole content.
func (t *Toolset) write(ctx context.Context, u *use, in SafeWriteInput) (string, []byte, error) {
	if scrub.HasToken(in.Content) || scrub.HasToken(in.Path) {
		return "", nil, tokenError("the content or the path")
	}
	rel, err := t.below(u.call.Caller.Dir, in.Path)
	if err != nil {
		return "", nil, err
	}
	if why := protected.Write(rel, u.Protect); why != "" {
		return "", nil, &refusedError{"writing " + shownPath(rel) + " is refused: " + why, "use the Write or Edit tool, which asks the user"}
	}
	file := filepath.Join(t.Root, filepath.FromSlash(rel))
	if rel == "." {
		return "", nil, &refusedError{"the project's directory is no file", "give the path of a file"}
	}
	if _, err := t.permit(ctx, u, "Write", "Write "+file, map[string]any{"file_path": file, "content": in.Content}); err != nil {
		return "", nil, err
	}
	t.writing.Lock()
	defer t.writing.Unlock()
	dir, err := openAt(t.Root, rel, true)
	if err != nil {
		return "", nil, err
	}
	defer dir.Close()
	data, err := t.replace(dir, filepath.Base(file), rel, in)
	return rel, data, err
}

// replace replaces a file, and returns its content.
func (t *Toolset) replace(dir *os.Root, name, path string, in SafeWriteInput) ([]byte, error) {
	old, info, err := t.old(dir, name, path, in)
	if err != nil {
		return nil, err
	}
	data := []byte(in.Content)
	if in.Append {
		data = append(old, in.Content...)
	}
	if len(data) > maxFile {
		return nil, &refusedError{fmt.Sprintf("%s would be larger than %d MB", shownPath(path), maxFile>>20), "append to it with safe_bash"}
	}
	if err := replaceFile(dir, name, data, info); err != nil {
		return nil, fmt.Errorf("writing %s: %w", shownPath(path), err)
	}
	return data, nil
}

// old returns the content of the file as far as it matters, and what is replaced; nil: there is no file.
func (t *Toolset) old(dir *os.Root, name, path string, in SafeWriteInput) ([]byte, fs.FileInfo, error) {
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && in.Expect != "":
		return nil, nil, &refusedError{"there is no " + shownPath(path) + " any more", "write it without expect, to make it anew"}
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, notThere(path, err)
	case !info.Mode().IsRegular():
		return nil, nil, notRegular(dir, name, path, info)
	case !in.Append && in.Expect == "":
		return nil, info, nil
	}
	data, info, err := readFile(dir, name, path)
	if err != nil {
		return nil, nil, err
	}
	if in.Expect != "" && in.Expect != t.hashOf(data) {
		return nil, nil, &refusedError{shownPath(path) + " has changed since it was read", "read it again"}
	}
	return data, info, nil
}

// Text is the answer for a model.
func (o *SafeWriteOutput) Text() string { return o.text }
