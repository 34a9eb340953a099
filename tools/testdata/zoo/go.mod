module example.test/zoo

go 1.26
