//go:build !unix

package disk

import "os"

// stat follows symbolic links. It says whether there is anything that we may look at.
func stat(path string) (node, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return node{}, false
	}
	return node{modified: info.ModTime().UnixNano(), size: info.Size(), dir: info.IsDir()}, true
}
