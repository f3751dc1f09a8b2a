module anyhook

go 1.19
