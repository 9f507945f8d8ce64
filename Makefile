# The tasks of the project. `make check` is what CI runs.

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.1.4
FUZZTIME    = 60s

.PHONY: check build test race lint fuzz golden generated catalog bench stores soak upgrade proxies clients licences reproducible image release vuln

check: build lint test race ## everything that must hold before a change lands

build: ## the binary, without cgo
	CGO_ENABLED=0 go build -trimpath -o bin/vitrine ./cmd/vitrine

test: ## all tests that need no network and no service
	go test ./...

race: ## the same under the race detector, without what is long and has one goroutine
	go test -race -short ./...

lint: ## formatting, modules, vet, staticcheck
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	go mod tidy -diff
	go vet ./...
	go run $(STATICCHECK) ./...

fuzz: ## every fuzzer for FUZZTIME
	./scripts/fuzz $(FUZZTIME)

stores: ## kills, a thousand publishes, every fault of a store; needs PostgreSQL, takes about half an hour
	test/stores

soak: ## ten minutes of mixed load; `test/soak --for 1h` is the long one
	test/soak

upgrade: ## rolls replicas to a version with another schema and back, under load; needs PostgreSQL
	test/upgrade

proxies: ## nginx and Varnish in front, every answer checked; needs what test/install installs, takes five minutes
	test/proxies

golden: ## writes golden files anew; read the difference by eye
	go test ./internal/operations ./internal/bundle -update
	go test ./internal/cli -run '^TestScripts$$/^preview$$' -update

generated: ## writes what follows from the descriptions of fields: schemas, tables, properties of the API document, coverage
	go test ./internal/reference -update
	go test ./internal/snapshot -run '^TestDocumentHasMembers$$' -update
	go test ./internal/quality -run '^TestCoverageTable$$' -update

catalog: build ## holds the bundled catalogue against all rules and its own bars, and prints what it covers
	bin/vitrine check catalog
	go test ./internal/quality -count=1 -v -run '^(TestBundledCatalogue|TestCoverage)$$'

bench: build ## speed, side by side with others; about an hour; needs what bench/install installs
	bench/run --vitrine bin/vitrine

clients: ## generates clients for Go and TypeScript from the document and calls every operation; needs npm and the network
	test/clients

licences: ## writes THIRD_PARTY.md anew, what is linked into the binary; a test holds it against the code
	@mkdir -p bin
	go run ./scripts/licences >bin/third-party.md && mv bin/third-party.md THIRD_PARTY.md

reproducible: ## builds twice from clean clones: the bytes must be the same
	scripts/reproducible

image: ## the container image, as dist/vitrine-image.tar; needs buildah
	scripts/image dist/vitrine-image.tar

release: ## archives, packages, image, bill of materials, checksums and signature, in dist/; needs buildah
	scripts/release

vuln: ## known vulnerabilities of what is linked; needs the network
	go run $(GOVULNCHECK) ./...
