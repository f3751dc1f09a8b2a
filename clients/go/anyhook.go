// Package anyhook runs the users' hooks of an agent that is written in Go. It starts `anyhook serve` and uses only the
// standard library.
package anyhook

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

const (
	protocol = 1
	// How long a server may take to exit after its input has ended.
	exitTime = 5 * time.Second
)

// Can says which effects of hooks the program applies, per event.
type Can map[string]map[string]any

// Options of Open. Only Name and Can are required.
type Options struct {
	Name    string
	Version string
	Can     Can
	// Tools under names that no agent has.
	Tools map[string]any
	// Dir is the project folder, Home the home folder with settings and trust. Default: those of this process.
	Dir, Home string
	// Env is the environment of hooks. Default: the environment of this process.
	Env       map[string]string
	Approvals bool
	// Command starts the server. Default: anyhook serve.
	Command []string
}

// IDs of the agent's session, subagent, tool call and message.
type IDs struct {
	Session string `json:"session,omitempty"`
	Agent   string `json:"agent,omitempty"`
	Call    string `json:"call,omitempty"`
	Message string `json:"message,omitempty"`
}

// Event to fire. Its names and payloads are those of the event pages.
type Event struct {
	Name    string
	Payload map[string]any
	IDs     IDs
}

// Outcome of an event. Go on only if Allowed is true.
type Outcome struct {
	Allowed bool
	// Proceed is "yes", "ask" (ask your user; no answer is no) or "no".
	Proceed string
	// Reason is for the model.
	Reason string
	// Payload is what should run, with the changes of hooks.
	Payload  map[string]any
	ForModel []string
	ForUser  []string `json:"forPerson"`
	Gifts    map[string]any
	Aborted  bool
	// Failure says why no hook was asked: anyhook is missing, has ended or did not answer.
	Failure string `json:"-"`
	// Raw is the whole outcome, as anyhook sent it.
	Raw json.RawMessage `json:"-"`
}

// Error is a wrong call, such as an unknown event. Hooks never cause it.
type Error struct {
	Message string
	Code    string
}

func (e *Error) Error() string { return e.Message }

type message struct {
	ID     *int64          `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string
		Data    struct{ Code string }
	} `json:"error"`
}

type description struct {
	Session  string
	Wants    []string
	Hooks    []map[string]any
	Problems []map[string]any
}

// Hooks of one project. All methods can be called from any number of goroutines.
type Hooks struct {
	options Options
	mu      sync.Mutex
	server  *server
	closed  bool
}

// Open starts the server. It fails if anyhook is missing or an option is wrong.
func Open(ctx context.Context, options Options) (*Hooks, error) {
	hooks := &Hooks{options: options}
	_, err := hooks.running(ctx)
	return hooks, err
}

// Wants reports whether a hook listens to an event. Other events need not be fired.
func (h *Hooks) Wants(event string) bool {
	for _, name := range h.known().Wants {
		if name == event {
			return true
		}
	}
	return false
}

// Events to which a hook listens.
func (h *Hooks) Events() []string { return h.known().Wants }

// List returns all hooks, Problems what is wrong with the user's settings.
func (h *Hooks) List() []map[string]any     { return h.known().Hooks }
func (h *Hooks) Problems() []map[string]any { return h.known().Problems }

// Fire runs the hooks of an event. The error is an *Error, for an event that is unknown or misspelt. Every other failure is
// an outcome with Failure, which is not allowed if the event can be refused. If ctx ends, the event is cancelled.
func (h *Hooks) Fire(ctx context.Context, event Event) (Outcome, error) {
	payload := event.Payload
	if payload == nil {
		payload = map[string]any{}
	}
	running, err := h.running(ctx)
	if err == nil {
		params := map[string]any{"session": running.session(), "event": event.Name, "payload": payload, "ids": event.IDs}
		var result json.RawMessage
		if result, err = running.request(ctx, "fire", params); err == nil {
			outcome := Outcome{Raw: result}
			if err = json.Unmarshal(result, &outcome); err == nil {
				return outcome, nil
			}
		}
	}
	var wrong *Error
	if errors.As(err, &wrong) {
		return h.failed(event, payload, wrong.Message), wrong
	}
	return h.failed(event, payload, err.Error()), nil
}

// Close ends the server after it has answered what it has.
func (h *Hooks) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	if h.server != nil {
		h.server.close()
	}
	return nil
}

func (h *Hooks) failed(event Event, payload map[string]any, why string) Outcome {
	for _, effect := range []string{"deny", "cancel", "defer", "ask"} {
		if _, ok := h.options.Can[event.Name][effect]; ok {
			reason := "anyhook could not judge this call: " + why
			return Outcome{Proceed: "no", Reason: reason, Payload: payload, Failure: why}
		}
	}
	return Outcome{Allowed: true, Proceed: "yes", Payload: payload, Failure: why}
}

func (h *Hooks) known() description {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.server == nil {
		return description{}
	}
	return h.server.description()
}

// running returns the server, started again if it has ended. An event that was lost with it is not fired again.
func (h *Hooks) running(ctx context.Context) (*server, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, errors.New("these hooks are closed")
	}
	if h.server != nil && h.server.err() == nil {
		return h.server, nil
	}
	if h.server != nil {
		h.server.close()
		h.server = nil
	}
	started, err := start(ctx, h.options)
	if err != nil {
		return nil, err
	}
	h.server = started
	return started, nil
}

// server is one `anyhook serve` process with one session.
type server struct {
	command *exec.Cmd
	input   io.WriteCloser
	writing sync.Mutex
	done    chan struct{}

	mu    sync.Mutex
	open  map[int64]chan message
	last  int64
	about description
	ended error
}

func start(ctx context.Context, options Options) (*server, error) {
	words := options.Command
	if len(words) == 0 {
		words = []string{"anyhook", "serve"}
	}
	command := exec.Command(words[0], words[1:]...)
	command.Dir = options.Dir
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("%s could not be started: %w", words[0], err)
	}
	s := &server{command: command, input: input, done: make(chan struct{}), open: map[int64]chan message{}}
	go s.read(output)
	result, err := s.request(ctx, "open", openParams(options))
	if err == nil {
		err = s.describe(result)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func openParams(options Options) map[string]any {
	can := options.Can
	if can == nil {
		can = Can{}
	}
	host := map[string]any{"name": options.Name, "can": can}
	if options.Version != "" {
		host["version"] = options.Version
	}
	if options.Tools != nil {
		host["tools"] = options.Tools
	}
	params := map[string]any{"protocol": protocol, "host": host}
	for key, value := range map[string]string{"cwd": options.Dir, "home": options.Home} {
		if value != "" {
			params[key] = value
		}
	}
	if options.Env != nil {
		params["env"] = options.Env
	}
	if options.Approvals {
		params["approvals"] = true
	}
	return params
}

func (s *server) request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	s.mu.Lock()
	if s.ended != nil {
		defer s.mu.Unlock()
		return nil, s.ended
	}
	s.last++
	id := s.last
	answer := make(chan message, 1)
	s.open[id] = answer
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.open, id)
		s.mu.Unlock()
	}()
	if err := s.write(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	cancelled := ctx.Done()
	for {
		select {
		case found := <-answer:
			if found.Error != nil {
				return nil, &Error{Message: found.Error.Message, Code: found.Error.Data.Code}
			}
			return found.Result, nil
		case <-s.done:
			return nil, s.err()
		case <-cancelled:
			// The answer still arrives, aborted. A server that hangs does not send it.
			cancelled = nil
			_ = s.write(map[string]any{"jsonrpc": "2.0", "method": "cancel", "params": map[string]any{"id": id}})
			timer := time.AfterFunc(exitTime, func() { _ = s.command.Process.Kill() })
			defer timer.Stop()
		}
	}
}

func (s *server) write(value any) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line) // ends with a newline
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return &Error{Message: err.Error(), Code: "wrong-params"}
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if _, err := s.input.Write(line.Bytes()); err != nil {
		return errors.New("anyhook serve has ended")
	}
	return nil
}

func (s *server) read(output io.Reader) {
	reader := bufio.NewReaderSize(output, 64*1024)
	for {
		line, err := reader.ReadBytes('\n')
		var found message
		if json.Unmarshal(line, &found) == nil {
			s.take(found)
		}
		if err != nil {
			break
		}
	}
	s.mu.Lock()
	s.ended = errors.New("anyhook serve has ended")
	s.mu.Unlock()
	close(s.done)
}

func (s *server) take(found message) {
	if found.Method == "changed" {
		_ = s.describe(found.Params) // written by anyhook itself
		return
	}
	if found.ID == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer, ok := s.open[*found.ID]; ok {
		answer <- found
		delete(s.open, *found.ID)
	}
}

func (s *server) describe(text json.RawMessage) error {
	var about description
	if err := json.Unmarshal(text, &about); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.about = about
	return nil
}

func (s *server) description() description {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.about
}

func (s *server) session() string { return s.description().Session }

func (s *server) err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

func (s *server) close() {
	_ = s.input.Close()
	timer := time.AfterFunc(exitTime, func() { _ = s.command.Process.Kill() })
	defer timer.Stop()
	<-s.done
	_ = s.command.Wait()
}
