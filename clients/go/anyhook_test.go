package anyhook

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

type fired struct {
	Event   string
	Payload map[string]any
}
type step struct {
	Fire, Cancel *fired
	After        string
	Expect       map[string]any
	Error        string
	Write        map[string]any
	Wants        *[]string
	Together     []step
}
type data struct {
	Can   Can
	Cases []struct {
		Name  string
		Can   Can
		Files map[string]any
		Steps []step
	}
}

var ls = Event{Name: "tool.before", Payload: map[string]any{"tool": "shell", "input": map[string]any{"command": "ls"}}}

func command(t *testing.T) []string {
	t.Helper()
	given := os.Getenv("ANYHOOK_COMMAND")
	if given == "" {
		return nil
	}
	var words []string
	if err := json.Unmarshal([]byte(given), &words); err != nil {
		t.Fatal(err)
	}
	return words
}

type world struct{ root string }

func newWorld(t *testing.T, files map[string]any) world {
	t.Helper()
	w := world{t.TempDir()}
	w.write(t, map[string]any{"home/.keep": "", "project/.keep": ""})
	w.write(t, files)
	return w
}

func (w world) write(t *testing.T, files map[string]any) {
	t.Helper()
	for name, content := range files {
		text, ok := content.(string)
		if !ok {
			encoded, err := json.Marshal(content)
			if err != nil {
				t.Fatal(err)
			}
			text = string(encoded)
		}
		path := filepath.Join(w.root, name)
		replaced := strings.NewReplacer("{home}", filepath.Join(w.root, "home"), "{project}", filepath.Join(w.root, "project")).Replace(text)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(replaced), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func (w world) guard(t *testing.T, run string) {
	t.Helper()
	hook := map[string]any{"match": "shell", "run": run}
	w.write(t, map[string]any{"home/.config/anyhook/hooks.json": map[string]any{"hooks": map[string]any{"tool.before": []any{hook}}}})
}

func (w world) options(t *testing.T, can Can) Options {
	t.Helper()
	home := filepath.Join(w.root, "home")
	env := map[string]string{"PATH": os.Getenv("PATH"), "HOME": home}
	return Options{Name: "conformance", Can: can, Dir: filepath.Join(w.root, "project"), Home: home, Env: env, Command: command(t)}
}

func (w world) open(t *testing.T, can Can) *Hooks {
	t.Helper()
	hooks, err := Open(context.Background(), w.options(t, can))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hooks.Close() })
	return hooks
}

// differences: every expected field must be there; objects may have more, lists must be equal.
func differences(expected, found any, at string) []string {
	fields, isObject := expected.(map[string]any)
	others, areFields := found.(map[string]any)
	if isObject && areFields {
		var faults []string
		for key, value := range fields {
			faults = append(faults, differences(value, others[key], at+"."+key)...)
		}
		return faults
	}
	if reflect.DeepEqual(expected, found) {
		return nil
	}
	return []string{fmt.Sprintf("%s: expected %#v, found %#v", at, expected, found)}
}

func check(t *testing.T, outcome Outcome, expected map[string]any) {
	t.Helper()
	var found any
	if err := json.Unmarshal(outcome.Raw, &found); err != nil {
		t.Fatalf("no outcome: %v (%s)", err, outcome.Failure)
	}
	for _, fault := range differences(expected, found, "outcome") {
		t.Error(fault)
	}
}

func TestConformance(t *testing.T) {
	text, err := os.ReadFile("../conformance/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var all data
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, one := range all.Cases {
		one := one
		t.Run(one.Name, func(t *testing.T) {
			w := newWorld(t, one.Files)
			can := one.Can
			if can == nil {
				can = all.Can
			}
			hooks := w.open(t, can)
			for _, next := range one.Steps {
				runStep(t, w, hooks, next)
			}
		})
	}
}

func runStep(t *testing.T, w world, hooks *Hooks, next step) {
	w.write(t, next.Write)
	var group sync.WaitGroup
	for _, one := range next.Together {
		one := one
		group.Add(1)
		go func() {
			defer group.Done()
			runStep(t, w, hooks, one)
		}()
	}
	group.Wait()
	if next.Wants != nil {
		until := time.Now().Add(10 * time.Second)
		for len(hooks.Events()) != len(*next.Wants) && time.Now().Before(until) {
			time.Sleep(50 * time.Millisecond)
		}
		for _, event := range *next.Wants {
			if !hooks.Wants(event) {
				t.Errorf("%s is not wanted", event)
			}
		}
		if len(hooks.Events()) != len(*next.Wants) {
			t.Errorf("wanted are %v", hooks.Events())
		}
	}
	if next.Fire != nil {
		outcome, err := hooks.Fire(context.Background(), Event{Name: next.Fire.Event, Payload: next.Fire.Payload})
		if next.Error != "" {
			wrong, ok := err.(*Error)
			if !ok || wrong.Code != next.Error {
				t.Errorf("expected the error %s, found %v", next.Error, err)
			}
		} else if err != nil {
			t.Error(err)
		} else {
			check(t, outcome, next.Expect)
		}
	}
	if next.Cancel != nil {
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			for {
				if _, err := os.Stat(filepath.Join(w.root, next.After)); err == nil {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			cancel()
		}()
		outcome, err := hooks.Fire(ctx, Event{Name: next.Cancel.Event, Payload: next.Cancel.Payload})
		if err != nil {
			t.Error(err)
		}
		check(t, outcome, next.Expect)
	}
}

func TestWithoutAnyhookCallsAreRefusedAndTheAgentMayStop(t *testing.T) {
	can := Can{"tool.before": {"deny": "full"}, "turn.stop": {"resume": "full"}}
	options := Options{Name: "a", Can: can, Command: []string{"no-such-program-of-anyhook"}}
	hooks, err := Open(context.Background(), options)
	if err == nil {
		t.Fatal("Open found a program that does not exist")
	}
	refused, err := hooks.Fire(context.Background(), ls)
	if err != nil || refused.Allowed || refused.Proceed != "no" || !strings.Contains(refused.Reason, "could not be started") {
		t.Errorf("%+v %v", refused, err)
	}
	stop, err := hooks.Fire(context.Background(), Event{Name: "turn.stop"})
	if err != nil || !stop.Allowed || stop.Failure == "" {
		t.Errorf("%+v %v", stop, err)
	}
}

func TestAServerThatIsKilledRefusesTheCallAndTheNextEventStartsAnother(t *testing.T) {
	w := newWorld(t, nil)
	w.guard(t, "test -e {project}/began || { touch {project}/began; sleep 60; }")
	hooks := w.open(t, Can{"tool.before": {"deny": "full"}})
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(w.root, "project/began")); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		_ = hooks.server.command.Process.Kill()
	}()
	lost, err := hooks.Fire(context.Background(), ls)
	if err != nil || lost.Allowed || lost.Failure != "anyhook serve has ended" {
		t.Errorf("%+v %v", lost, err)
	}
	next, err := hooks.Fire(context.Background(), ls)
	if err != nil || !next.Allowed {
		t.Errorf("%+v %v", next, err)
	}
}

func TestAClosedClientRefuses(t *testing.T) {
	w := newWorld(t, nil)
	hooks := w.open(t, Can{"tool.before": {"deny": "full"}})
	_ = hooks.Close()
	outcome, err := hooks.Fire(context.Background(), ls)
	if err != nil || outcome.Allowed || outcome.Failure != "these hooks are closed" {
		t.Errorf("%+v %v", outcome, err)
	}
}

func ExampleHooks_Fire() {
	ctx := context.Background()
	hooks, err := Open(ctx, Options{Name: "my-agent", Can: Can{"tool.before": {"deny": "full", "set": "full"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer hooks.Close()
	outcome, err := hooks.Fire(ctx, Event{
		Name:    "tool.before",
		Payload: map[string]any{"tool": "shell", "input": map[string]any{"command": "rm -rf build"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if outcome.Allowed {
		fmt.Println("run", outcome.Payload["input"])
	} else {
		fmt.Println("refused:", outcome.Reason)
	}
}
