module vitrine/test

go 1.26.0
