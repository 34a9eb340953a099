module example.com/sea

go 1.24
