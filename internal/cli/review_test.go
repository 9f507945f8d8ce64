package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// reviewFolder has the workflow, the job and the hook.
const reviewFolder = "../../deploy/review"

// TestWorkflowOfGitHub runs the steps of the workflow as a runner does, but for those that need the network.
func TestWorkflowOfGitHub(t *testing.T) {
	var workflow struct {
		On          map[string]any    `yaml:"on"`
		Permissions map[string]string `yaml:"permissions"`
		Env         map[string]string `yaml:"env"`
		Jobs        map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct{ Name, Uses, Run string }
		}
	}
	readYAML(t, "github.yaml", &workflow)
	if workflow.On["pull_request"] == nil || len(workflow.Permissions) != 1 || workflow.Permissions["contents"] != "read" {
		t.Errorf("on %v with permissions %v", workflow.On, workflow.Permissions)
	}
	steps := map[string]string{}
	for _, step := range workflow.Jobs["review"].Steps {
		if step.Run != "" {
			steps[step.Name] = step.Run
		}
	}
	repo := newRepository(t)
	repo.commit("one", nil)
	repo.commit("a harmless change", map[string]string{"catalog/chains.yaml": oneChain("Ether One", 18)})
	repo.env = append(repo.env, "CATALOG="+workflow.Env["CATALOG"], "GITHUB_STEP_SUMMARY=summary.md")
	for _, name := range []string{"Check", "Preview", "Gate"} {
		if out, err := repo.run("bash", "-e", "-o", "pipefail", "-c", steps[name]); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	repo.has("summary.md", "### Preview of the catalogue", "`listChains`", "`\"One\"` → `\"Ether One\"`")
	repo.has("preview/index.html", `<a href="en/chains/one.html">`)
	repo.has("preview/en/chains/one.html", "Ether One", `href="../../assets/site.`)

	repo.commit("other decimals", map[string]string{"catalog/chains.yaml": oneChain("Ether One", 6)})
	out, err := repo.run("bash", "-e", "-c", steps["Gate"])
	if err == nil || !strings.Contains(out, "file=catalog/chains.yaml,line=1,col=1,title=currency%3Achains::stop: one native_currency.decimals") {
		t.Errorf("Gate: %v\n%s", err, out)
	}
	repo.commit("an unknown category", map[string]string{"catalog/chains.yaml": strings.ReplaceAll(oneChain("One", 6), "l1", "l9")})
	out, err = repo.run("bash", "-e", "-c", steps["Check"])
	if err == nil || !strings.Contains(out, "::error file=catalog/chains.yaml,line=1,") || !strings.Contains(out, "title=unknown-category::") {
		t.Errorf("Check: %v\n%s", err, out)
	}
}

// TestJobOfGitLab runs the script of the job as a runner does.
func TestJobOfGitLab(t *testing.T) {
	var file map[string]struct {
		Variables map[string]string
		Script    []string
		Artifacts struct{ Paths []string }
	}
	readYAML(t, "gitlab.yaml", &file)
	job := file["catalogue"]
	repo := newRepository(t)
	repo.commit("one", nil)
	base := repo.must("git", "rev-parse", "HEAD")
	repo.commit("a harmless change", map[string]string{"catalog/chains.yaml": oneChain("Ether One", 18)})
	repo.env = append(repo.env, "CATALOG="+job.Variables["CATALOG"], "CI_MERGE_REQUEST_DIFF_BASE_SHA="+strings.TrimSpace(base))
	if out, err := repo.run("bash", "-e", "-c", strings.Join(job.Script, "\n")); err != nil || !strings.Contains(out, "`listChains`") {
		t.Errorf("%v\n%s", err, out)
	}
	for _, path := range job.Artifacts.Paths {
		if _, err := os.Stat(filepath.Join(repo.dir, path)); err != nil {
			t.Error(err)
		}
	}
	repo.must("rm", "-r", "preview")
	repo.commit("other decimals", map[string]string{"catalog/chains.yaml": oneChain("One", 6)})
	if out, err := repo.run("bash", "-e", "-c", strings.Join(job.Script, "\n")); err == nil || !strings.Contains(out, "currency:chains") {
		t.Errorf("%v\n%s", err, out)
	}
	repo.has("gate.sarif", `"ruleId":"currency:chains"`, `"uri":"catalog/chains.yaml"`)
}

// TestPreCommitHook commits with the hook: it checks what is staged, not the working tree.
func TestPreCommitHook(t *testing.T) {
	repo := newRepository(t)
	hook, err := os.ReadFile(filepath.Join(reviewFolder, "pre-commit"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(repo.dir, ".git", "hooks", "pre-commit"), hook, 0o755))
	repo.commit("the first commit, without HEAD", nil)
	repo.commit("a file beside the catalogue", map[string]string{"README.md": "Read me."})

	try := func(chains string) (string, error) {
		must(t, os.WriteFile(filepath.Join(repo.dir, "catalog", "chains.yaml"), []byte(chains), 0o600))
		repo.must("git", "add", "catalog")
		must(t, os.WriteFile(filepath.Join(repo.dir, "catalog", "chains.yaml"), []byte("half of an edit: ["), 0o600)) // not staged
		return repo.run("git", "commit", "-q", "-m", "try")
	}
	if out, err := try(strings.ReplaceAll(oneChain("One", 18), "l1", "l9")); err == nil || !strings.Contains(out, "unknown-category") {
		t.Errorf("an error: %v\n%s", err, out)
	}
	if out, err := try(oneChain("One", 6)); err == nil || !strings.Contains(out, "currency:chains") {
		t.Errorf("a finding: %v\n%s", err, out)
	}
	if out, err := try(oneChain("Ether One", 18)); err != nil {
		t.Errorf("a harmless change: %v\n%s", err, out)
	}
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(reviewFolder, name))
	must(t, err)
	must(t, yaml.Unmarshal(data, into))
}

// oneChain is a file with one chain.
func oneChain(name string, decimals int) string {
	return fmt.Sprintf("- {slug: one, name: %s, chain_id: 1, categories: [l1], native_currency: {name: Ether, symbol: ETH, decimals: %d}}\n", name, decimals)
}

// repository is a repository of git with a catalogue.
type repository struct {
	t   *testing.T
	dir string
	env []string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	for _, program := range []string{"git", "bash"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	repo := &repository{t: t, dir: t.TempDir(), env: append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.org")}
	repo.must("git", "init", "-q", "-b", "main", ".")
	repo.write("catalog/catalog.yaml", "title: Shop\ndefault_locale: en\nlocales: [en]\ngate: {rules: {currency: stop}}\n")
	repo.write("catalog/categories.yaml", "groups: [{key: layer, module: chain, name: Layer}]\n"+
		"categories: [{key: l1, name: L1, scopes: [chain], groups: {chain: [layer]}}]\n")
	repo.write("catalog/chains.yaml", oneChain("One", 18))
	return repo
}

func (r *repository) write(name, content string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	must(r.t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(r.t, os.WriteFile(path, []byte(content), 0o600))
}

// commit writes files and commits all.
func (r *repository) commit(message string, files map[string]string) {
	r.t.Helper()
	for name, content := range files {
		r.write(name, content)
	}
	r.must("git", "add", ".")
	r.must("git", "commit", "-q", "-m", message)
}

func (r *repository) run(name string, args ...string) (string, error) {
	command := exec.CommandContext(r.t.Context(), name, args...)
	command.Dir, command.Env = r.dir, r.env
	out, err := command.CombinedOutput()
	return string(out), err
}

func (r *repository) must(name string, args ...string) string {
	r.t.Helper()
	out, err := r.run(name, args...)
	if err != nil {
		r.t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return out
}

// has wants texts in a file.
func (r *repository) has(name string, texts ...string) {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	must(r.t, err)
	for _, text := range texts {
		if !strings.Contains(string(data), text) {
			r.t.Errorf("%s lacks %q:\n%.2000s", name, text, data)
		}
	}
}
