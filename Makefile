# make help shows what there is. Node 24 comes with npm ci, whatever Node the machine has.
.DEFAULT_GOAL := help
.PHONY: help up down reset test test-all flaky faults prove cluster-test check bench pictures dependencies

help: ## show this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: dependencies ## start the platform on this machine and wait until it serves its first hospital
	@bin/hmsctl up

down: dependencies ## stop the platform; its data stays
	@bin/hmsctl down

reset: dependencies ## stop the platform and delete its data
	@bin/hmsctl reset $(if $(YES),--yes)

test: dependencies check ## check, then run the gate: what users rely on, on engines of its own
	@npm test --silent -- gate

test-all: dependencies ## run all other tests, or with PART=faults one part of them: docs/development.md lists them
	@npm test --silent -- all $(PART)

flaky: dependencies ## list the suites that failed and passed when they ran again, and how often
	@npm run --silent flaky

check: dependencies ## types, lint, format, imports, unused code, prose
	@npm run --silent check

faults: dependencies ## faults and fuzz tests, longer than in make test-all: engines away for 30 s, several rounds
	@HMS_FAULT_SECONDS=$${HMS_FAULT_SECONDS:-30} HMS_FAULT_ROUNDS=$${HMS_FAULT_ROUNDS:-3} FUZZ_TIMES=$${FUZZ_TIMES:-10} \
	  npm test --silent -- all faults fuzz

prove: dependencies ## people who work at the same time on the running platform: prints what came of it, and what must never be
	@npm run --silent prove

cluster-test: dependencies ## install the chart on a real cluster: docs/development.md has what it needs
	@test -n "$$HMS_CLUSTER_HOST" || { echo 'set HMS_CLUSTER_HOST and HMS_IMAGE_COMMAND: docs/development.md says to what'; exit 1; }
	@npm test --silent -- all cluster

bench: dependencies ## measure times and memory on this machine; docs/benchmarks.md keeps the last run
	@npm run --silent bench

pictures: dependencies ## take the pictures of the documentation again, in a browser
	@HMS_SCREENSHOTS=1 npm test --silent -- test/web test/gate

# npm ci when node_modules is missing, or was made from another package-lock.json
dependencies:
	@cmp -s package-lock.json node_modules/.package-lock.made || \
	  { echo '  … installing the npm packages' && npm ci && cp package-lock.json node_modules/.package-lock.made; }
