package zoo

import "testing"

func TestFeed(t *testing.T) {
	t.Run("Feed", func(*testing.T) {
		Feed(1) // want zoo.Feed: call
	})
	generics()
	generic(Cat{})
	listen(nil, nil, Dog{}, nil, Puppy{}, Rock{})
	everyWay(nil)
	onLinux()
}
