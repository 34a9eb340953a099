package workspace

import "tidepool/lsp/internal/process"

const (
	leastShare = 512 << 20 // bytes: with less a server of any project spends its time on collecting garbage
	filesMore  = 50        // source files that each language counts for beside those that it has: a server's own size
)

// memoryTold returns what a session of the server is told of memory: three quarters of the budget, in proportion to the source files of each
// language. Where changes are tried out the server for questions is told five sixths of what is its language's, and the one for drafts a
// third: that is seldom much at work, and the first to go when all together exceed the budget. With two thirds, 5.9 GB, gopls took 45 and
// 61 s of processor time after edits of a file that most of 6 million lines import, and 36 and 46 s with 7.4 GB. One that has just ended by
// itself is told the whole budget: it may have ended at its share, which is a hard limit for servers on Node.
func (s *Server) memoryTold() process.Memory {
	budget := s.workspace.limits.Budget
	if budget == 0 {
		return process.Memory{}
	}
	s.mu.Lock()
	ended := s.exits > 0
	s.mu.Unlock()
	if ended {
		return process.Memory{Share: budget, Budget: budget}
	}
	var own, all int64
	for _, other := range s.workspace.Servers() {
		if other.drafts != nil {
			continue
		}
		files := other.files()
		all += files
		if other.Language.ID == s.Language.ID && (other == s || s.drafts != nil && other.serves(s.tree)) {
			own = files
		}
	}
	drafting := s.Language.Drafting != nil
	return process.Memory{Budget: budget, Share: shareOf(budget, max(own, filesMore), max(all, own, filesMore), drafting, s.drafts != nil)}
}

// shareOf returns the bytes that a server is told, of a language with own of all files.
func shareOf(budget, own, all int64, drafting, drafts bool) int64 {
	share := budget >> 20 * 3 / 4 * own / all << 20 // in megabytes, so that nothing overflows
	switch {
	case drafts:
		share /= 3
	case drafting:
		share = share * 5 / 6
	}
	return max(share, leastShare)
}

// files returns for how many source files a server counts; 0 for one whose language has none.
func (s *Server) files() int64 {
	files := 0
	for _, t := range s.Trees() {
		files += len(t.Of(s.Language).sources)
	}
	if files == 0 {
		return 0
	}
	return int64(files + filesMore)
}
