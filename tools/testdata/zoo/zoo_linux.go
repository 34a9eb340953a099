package zoo

func onLinux() { Feed(1) } // want zoo.Feed: call
