// Package kubernetes tests deploy/kubernetes against the types of the API server: unknown and misspelt
// fields are errors, and objects refer to objects that exist.
package kubernetes

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

const base = "../../deploy/kubernetes"

// types are the kinds of the base.
var types = map[string]func() any{
	"v1/PersistentVolumeClaim":               func() any { return new(corev1.PersistentVolumeClaim) },
	"v1/Service":                             func() any { return new(corev1.Service) },
	"apps/v1/Deployment":                     func() any { return new(appsv1.Deployment) },
	"batch/v1/CronJob":                       func() any { return new(batchv1.CronJob) },
	"autoscaling/v2/HorizontalPodAutoscaler": func() any { return new(autoscalingv2.HorizontalPodAutoscaler) },
	"policy/v1/PodDisruptionBudget":          func() any { return new(policyv1.PodDisruptionBudget) },
	"networking.k8s.io/v1/NetworkPolicy":     func() any { return new(networkingv1.NetworkPolicy) },
}

// objects are the decoded objects of the base.
type objects struct {
	all  []any
	pods []corev1.PodTemplateSpec // of deployments and jobs
}

func read(t *testing.T) (o objects) {
	t.Helper()
	var list struct {
		Resources []string `json:"resources"`
	}
	data, err := os.ReadFile(filepath.Join(base, "kustomization.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(base, "*.yaml"))
	if err != nil || len(files) != len(list.Resources)+1 {
		t.Errorf("%d files, %v; kustomization.yaml names %q", len(files), err, list.Resources)
	}
	for _, file := range list.Resources {
		data, err := os.ReadFile(filepath.Join(base, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range bytes.Split(data, []byte("\n---\n")) {
			o.add(t, file, document)
		}
	}
	return o
}

func (o *objects) add(t *testing.T, file string, document []byte) {
	t.Helper()
	var kind metav1.TypeMeta
	if err := yaml.Unmarshal(document, &kind); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	create, ok := types[kind.APIVersion+"/"+kind.Kind]
	if !ok {
		t.Fatalf("%s: unexpected kind %s %s", file, kind.APIVersion, kind.Kind)
	}
	object := create()
	if err := yaml.UnmarshalStrict(document, object); err != nil {
		t.Errorf("%s: %s: %v", file, kind.Kind, err)
	}
	o.all = append(o.all, object)
	switch object := object.(type) {
	case *appsv1.Deployment:
		o.pods = append(o.pods, object.Spec.Template)
		if !matches(t, object.Spec.Selector, object.Spec.Template) {
			t.Errorf("%s does not select its pods", object.Name)
		}
	case *batchv1.CronJob:
		o.pods = append(o.pods, object.Spec.JobTemplate.Spec.Template)
	}
}

func matches(t *testing.T, selector *metav1.LabelSelector, pod corev1.PodTemplateSpec) bool {
	t.Helper()
	s, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		t.Fatal(err)
	}
	return s.Matches(labels.Set(pod.Labels))
}

// selected returns the pods of a selector, and fails unless there is one.
func (o *objects) selected(t *testing.T, what string, selector *metav1.LabelSelector) corev1.PodTemplateSpec {
	t.Helper()
	for _, pod := range o.pods {
		if matches(t, selector, pod) {
			return pod
		}
	}
	t.Fatalf("%s selects no pod", what)
	return corev1.PodTemplateSpec{}
}

func ports(pod corev1.PodTemplateSpec) (names []string) {
	for _, container := range pod.Spec.Containers {
		for _, port := range container.Ports {
			names = append(names, port.Name)
		}
	}
	return names
}

func TestReferences(t *testing.T) {
	o := read(t)
	kinds := map[string]int{}
	for _, object := range o.all {
		switch object := object.(type) {
		case *corev1.Service:
			kinds["Service"]++
			pod := o.selected(t, object.Name, &metav1.LabelSelector{MatchLabels: object.Spec.Selector})
			if port := object.Spec.Ports[0].TargetPort.StrVal; !slices.Contains(ports(pod), port) {
				t.Errorf("the service %s has the unknown port %q", object.Name, port)
			}
		case *policyv1.PodDisruptionBudget:
			kinds["PodDisruptionBudget"]++
			o.selected(t, object.Name, object.Spec.Selector)
		case *networkingv1.NetworkPolicy:
			kinds["NetworkPolicy"]++
			pod := o.selected(t, object.Name, &object.Spec.PodSelector)
			for _, rule := range object.Spec.Ingress {
				for _, port := range rule.Ports {
					if name := port.Port.StrVal; !slices.Contains(ports(pod), name) {
						t.Errorf("the policy %s has the unknown port %q", object.Name, name)
					}
					if port.Port.StrVal == "admin" && len(rule.From) == 0 {
						t.Errorf("the policy %s opens the admin listener", object.Name)
					}
				}
			}
		case *autoscalingv2.HorizontalPodAutoscaler:
			kinds["HorizontalPodAutoscaler"]++
			if !slices.ContainsFunc(o.all, func(other any) bool {
				d, ok := other.(*appsv1.Deployment)
				return ok && d.Name == object.Spec.ScaleTargetRef.Name && d.Spec.Replicas == nil
			}) {
				t.Errorf("%s scales no deployment without replicas", object.Name)
			}
		}
	}
	for kind, want := range map[string]int{"Service": 1, "PodDisruptionBudget": 1, "NetworkPolicy": 3, "HorizontalPodAutoscaler": 1} {
		if kinds[kind] != want {
			t.Errorf("%d objects of kind %s, want %d", kinds[kind], kind, want)
		}
	}
}

// TestPods checks what all pods have in common: no root, a read-only root file system, volumes that exist,
// bounded memory, and probes of servers that the kubelet reaches.
func TestPods(t *testing.T) {
	o := read(t)
	if len(o.pods) != 3 {
		t.Fatalf("%d kinds of pods", len(o.pods))
	}
	for _, pod := range o.pods {
		name := pod.Labels["app.kubernetes.io/name"]
		security := pod.Spec.SecurityContext
		if security == nil || !*security.RunAsNonRoot || *security.RunAsUser != 65532 || *pod.Spec.AutomountServiceAccountToken {
			t.Errorf("%s may run as root or use the API server", name)
		}
		for _, container := range append(pod.Spec.InitContainers, pod.Spec.Containers...) {
			s := container.SecurityContext
			if s == nil || !*s.ReadOnlyRootFilesystem || *s.AllowPrivilegeEscalation || !slices.Equal(s.Capabilities.Drop, []corev1.Capability{"ALL"}) {
				t.Errorf("%s of %s has rights that it does not need", container.Name, name)
			}
			if container.Resources.Limits.Memory().IsZero() {
				t.Errorf("%s of %s has no limit of memory", container.Name, name)
			}
			for _, mount := range container.VolumeMounts {
				if !slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == mount.Name }) {
					t.Errorf("%s of %s mounts the unknown volume %s", container.Name, name, mount.Name)
				}
			}
			if len(container.Ports) > 0 {
				probed(t, name, container)
			}
		}
	}
}

func probed(t *testing.T, name string, container corev1.Container) {
	t.Helper()
	if !slices.Contains(container.Env, corev1.EnvVar{Name: "VITRINE_ADMIN_LISTEN", Value: ":9090"}) {
		t.Errorf("the kubelet does not reach the probes of %s", name)
	}
	for _, probe := range []*corev1.Probe{container.StartupProbe, container.LivenessProbe, container.ReadinessProbe} {
		if probe == nil || probe.HTTPGet.Port.StrVal != "admin" || !strings.HasSuffix(probe.HTTPGet.Path, "z") {
			t.Errorf("%s lacks a probe", name)
		}
	}
}

// TestFlags checks that the server has the flags of the containers.
func TestFlags(t *testing.T) {
	settings, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	distribution, err := os.ReadFile("../../docs/distribution.md")
	if err != nil {
		t.Fatal(err)
	}
	known := regexp.MustCompile("`--[a-z-]+").FindAllString(string(settings)+string(distribution), -1)
	for _, pod := range read(t).pods {
		for _, argument := range pod.Spec.Containers[0].Args {
			if strings.HasPrefix(argument, "--") && argument != "--actor" && !slices.Contains(known, "`"+argument) {
				t.Errorf("%s: unknown flag %s", pod.Labels["app.kubernetes.io/name"], argument)
			}
		}
	}
}
