package conversation

// exclude waits until nobody else reads a file, and returns a function that lets the next one.
func (k *Keeper) exclude(path string) (release func()) {
	k.mu.Lock()
	for k.busy[path] != nil {
		wait := k.busy[path]
		k.mu.Unlock()
		<-wait
		k.mu.Lock()
	}
	mine := make(chan struct{})
	k.busy[path] = mine
	k.mu.Unlock()
	return func() {
		k.mu.Lock()
		delete(k.busy, path)
		k.mu.Unlock()
		close(mine)
	}
}

// takeLive returns the reader of a file, which is the caller's until putLive; nil if there is none.
func (k *Keeper) takeLive(path string) *live {
	k.mu.Lock()
	defer k.mu.Unlock()
	l := k.lives[path]
	delete(k.lives, path)
	return l
}

// putLive keeps the reader of a file that has changed lately, in the place of the one that was used longest ago.
func (k *Keeper) putLive(path string, l *live) {
	now := k.archive.options.now()
	if now.Sub(l.place.ModTime) > liveIdle {
		return
	}
	l.used = now
	k.mu.Lock()
	defer k.mu.Unlock()
	k.lives[path] = l
	if len(k.lives) <= mostLive {
		return
	}
	oldest := path
	for other, o := range k.lives {
		if o.used.Before(k.lives[oldest].used) {
			oldest = other
		}
	}
	delete(k.lives, oldest)
}

func (k *Keeper) dropLive(path string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.lives, path)
}
