// Package container tests compose.yaml against the format and the image.
package container

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// project resolves compose.yaml like `docker compose config`.
func project(t *testing.T, environment ...string) (*types.Project, error) {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{"../../compose.yaml"}, cli.WithEnv(environment))
	if err != nil {
		t.Fatal(err)
	}
	return options.LoadProject(context.Background())
}

func TestComposeResolves(t *testing.T) {
	p, err := project(t, "POSTGRES_PASSWORD=secret", "CATALOG="+t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if names := p.ServiceNames(); !slices.Equal(names, []string{"postgres", "vitrine"}) {
		t.Fatalf("services %q", names)
	}
	vitrine := p.Services["vitrine"]
	if dsn := *vitrine.Environment["VITRINE_STORE"]; dsn != "postgres://vitrine:secret@postgres/vitrine" {
		t.Errorf("the store is %q", dsn)
	}
	if !vitrine.ReadOnly || !slices.Equal(vitrine.CapDrop, []string{"ALL"}) {
		t.Error("the root file system can be written to, or capabilities are left")
	}
	if condition := vitrine.DependsOn["postgres"].Condition; condition != types.ServiceConditionHealthy || p.Services["postgres"].HealthCheck == nil {
		t.Errorf("it starts when PostgreSQL is %q", condition)
	}
	for _, port := range vitrine.Ports {
		if port.HostIP != "127.0.0.1" || port.Target != 8080 {
			t.Errorf("port %+v is open to others, or is not that of the API", port)
		}
	}
	dockerfile := read(t, "../../Dockerfile")
	for _, volume := range vitrine.Volumes {
		switch volume.Target {
		case "/catalog":
			if !volume.ReadOnly {
				t.Error("the catalogue can be written to")
			}
		default:
			if !strings.Contains(dockerfile, "VOLUME "+volume.Target+"\n") {
				t.Errorf("the image has no volume %s", volume.Target)
			}
		}
	}
	if vitrine.Build == nil {
		t.Fatal("the image is not built")
	}
	if _, err := os.Stat(filepath.Join(vitrine.Build.Context, "Dockerfile")); err != nil {
		t.Error(err)
	}
}

// TestComposeNeedsAPassword checks that a missing password is an error.
func TestComposeNeedsAPassword(t *testing.T) {
	if _, err := project(t); err == nil || !strings.Contains(err.Error(), "POSTGRES_PASSWORD") {
		t.Errorf("error %v", err)
	}
}

// TestDockerfileBuildsWithTheSameGo checks that the toolchain of the Dockerfile satisfies go.mod.
func TestDockerfileBuildsWithTheSameGo(t *testing.T) {
	image := regexp.MustCompile(`(?m)^FROM golang:(\d+\.\d+) AS build$`).FindStringSubmatch(read(t, "../../Dockerfile"))
	module := regexp.MustCompile(`(?m)^go (\d+\.\d+)\.`).FindStringSubmatch(read(t, "../../go.mod"))
	if image == nil || module == nil || image[1] != module[1] {
		t.Errorf("the Dockerfile builds with %q, go.mod has %q", image, module)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
