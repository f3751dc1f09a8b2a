/*
 * The client that an agent starts for every event: it hands the event to the daemon and prints the daemon's answer.
 * docs/reference/protocol.md describes what it does. It decides nothing about the event itself.
 */
#include "client.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELLO = 1, READY, RETIRED, REQUEST, WORKING, ANSWER, FAILED, NO_FRAME = -1, BAD_FRAME = -2 };

#define PROTOCOL_VERSION 1
#define MAX_FRAME (72u << 20)
#define READY_WITHIN_MS 5000
#define SILENCE_MS 10000
#define RETRY_MS 5
#define LOCK_S 20
/* A failure is printed even when the deadline has passed, but nobody waits long for it. */
#define FAREWELL_MS 1000

enum on_failure { REFUSE, REFUSE_JSON, PASS, PASS_QUIET };
static const char *const MODES[] = {"refuse", "refuse-json", "pass", "pass-quiet"};

struct traffic traffic;
const char *conf_socket, *conf_starting;
static const char *conf_node, *conf_program, *conf_managed;
/* What to do about a failure. */
static const char *next_step = "Run: anyhook doctor";
static char **arguments;
static uint32_t argument_count;
static enum on_failure on_failure = PASS;
static int64_t deadline_ms;
static long deadline_after_ms = 590000;
/* Set once hooks may have been called for this event. */
static int handed_over;

/* Buffers */

static void *checked(void *memory) {
  if (memory == NULL) {
    static const char text[] = "anyhook: out of memory. Run: anyhook doctor\n";
    print(STDERR, (const unsigned char *)text, sizeof text - 1, now_ms() + FAREWELL_MS);
    end_process(on_failure == REFUSE || on_failure == REFUSE_JSON ? 2 : on_failure == PASS);
  }
  return memory;
}

unsigned char *reserve(struct bytes *in, size_t more) {
  if (in->capacity - in->length < more) {
    size_t wanted = in->capacity < 4096 ? 4096 : in->capacity;
    while (wanted - in->length < more) wanted *= 2;
    in->data = checked(realloc(in->data, wanted));
    in->capacity = wanted;
  }
  return in->data + in->length;
}

void append(struct bytes *to, const void *data, size_t length) {
  if (length == 0) return;
  memcpy(reserve(to, length), data, length);
  to->length += length;
}

static void append_integer(struct bytes *to, uint32_t value, int size) {
  while (size-- > 0) {
    unsigned char byte = (unsigned char)(value >> (8 * size));
    append(to, &byte, 1);
  }
}

static void append_string(struct bytes *to, const char *text) {
  append_integer(to, (uint32_t)strlen(text), 4);
  append(to, text, strlen(text));
}

/* Failures */

/* The length of the UTF-8 character at `text`, 0 if there is none. */
static size_t character(const unsigned char *text) {
  size_t length = text[0] < 0x80 ? 1 : text[0] < 0xc2 ? 0 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : text[0] < 0xf5 ? 4 : 0;
  for (size_t at = 1; at < length; at++)
    if ((text[at] & 0xc0) != 0x80) return 0;
  if (text[0] == 0xe0 && text[1] < 0xa0) return 0;
  if (text[0] == 0xed && text[1] > 0x9f) return 0;
  if (text[0] == 0xf0 && text[1] < 0x90) return 0;
  if (text[0] == 0xf4 && text[1] > 0x8f) return 0;
  return length;
}

/* Makes one line of valid UTF-8: a message must neither break an agent's parser nor a terminal. */
static void append_line(struct bytes *to, const char *text) {
  for (const unsigned char *at = (const unsigned char *)text; *at != 0;) {
    size_t length = character(at);
    if (length == 0 || *at < 0x20 || *at == 0x7f) append(to, length == 0 ? "?" : " ", 1);
    else append(to, at, length);
    at += length == 0 ? 1 : length;
  }
}

static void append_json(struct bytes *to, const struct bytes *line) {
  append(to, "\"", 1);
  for (size_t at = 0; at < line->length; at++) {
    if (line->data[at] == '"' || line->data[at] == '\\') append(to, "\\", 1);
    append(to, line->data + at, 1);
  }
  append(to, "\"", 1);
}

void fail(const char *format, ...) {
  char reason[4096];
  va_list values;
  va_start(values, format);
  vsnprintf(reason, sizeof reason, format, values);
  va_end(values);
  int refuses = on_failure == REFUSE || on_failure == REFUSE_JSON;
  struct bytes line = {0}, text = {0};
  append_line(&line, refuses       ? "anyhook refused this call because "
                     : handed_over ? "anyhook: the answer of the hooks is missing because "
                                   : "anyhook: no hook was called because ");
  append_line(&line, reason);
  append_line(&line, ". ");
  append_line(&line, conf_managed != NULL ? "Ask your administrator" : next_step);
  int64_t until = now_ms() + FAREWELL_MS;
  if (on_failure == REFUSE_JSON) {
    static const char *const parts[] = {"{\"decision\":\"deny\",\"reason\":", ",\"permissionDecision\":\"deny\",\"permissionDecisionReason\":"};
    for (int part = 0; part < 2; part++) {
      append(&text, parts[part], strlen(parts[part]));
      append_json(&text, &line);
    }
    append(&text, "}\n", 2);
    if (print(STDOUT, text.data, text.length, until) == 0) end_process(0);
  }
  append(&line, "\n", 1);
  print(STDERR, line.data, line.length, until);
  end_process(refuses ? 2 : on_failure == PASS);
}

void deliver(const char *who, int code, const unsigned char *out, size_t out_length, const unsigned char *err,
             size_t err_length) {
  int is_answer = code == 0 || code == 2;
  int lost = is_answer && print(STDOUT, out, out_length, deadline_ms) != 0;
  print(STDERR, err, err_length, deadline_ms);
  if (!is_answer) fail("%s ended with exit code %d", who, code);
  if (lost) fail("the answer could not be written to standard output");
  end_process(code);
}

/* Files and variables */

static void read_conf(const char *folder) {
  static char text[16384], path[8192];
  if (snprintf(path, sizeof path, "%s/anyhook-client.conf", folder) >= (int)sizeof path) return;
  long length = read_file(path, text, sizeof text - 1);
  if (length < 0) return;
  text[length] = 0;
  const struct { const char *name; const char **value; } keys[] = {
      {"node=", &conf_node}, {"program=", &conf_program}, {"socket=", &conf_socket}, {"starting=", &conf_starting},
      {"managed=", &conf_managed}};
  for (char *line = strtok(text, "\r\n"); line != NULL; line = strtok(NULL, "\r\n"))
    for (size_t key = 0; key < sizeof keys / sizeof *keys; key++)
      if (strncmp(line, keys[key].name, strlen(keys[key].name)) == 0) *keys[key].value = line + strlen(keys[key].name);
}

const char *find_node(void) {
  if (conf_node != NULL && is_executable(conf_node)) return conf_node;
  /* Root's client starts nothing that a user could put on the PATH. */
  if (conf_managed != NULL) fail("%s is missing", conf_node == NULL ? NODE : conf_node);
  const char *found = find_on_path(NODE);
  if (found == NULL) fail("%s is missing and there is no node on the PATH", conf_node == NULL ? NODE : conf_node);
  return found;
}

const char *find_program(void) {
  if (conf_program != NULL && is_readable(conf_program)) return conf_program;
  if (conf_managed != NULL) fail("%s is missing", conf_program == NULL ? "anyhook" : conf_program);
  const char *found = find_on_path("anyhook");
  if (found != NULL) return found;
  next_step = "Run: npm install -g anyhook";
  fail("%s is missing and there is no anyhook on the PATH", conf_program == NULL ? "anyhook" : conf_program);
}

static int is_named(const char *variable, const char *name) {
  return same_letters(variable, name, strlen(name)) && variable[strlen(name)] == '=';
}

static int redirects_code(const char *variable) {
  static const char *const names[] = {"NODE_OPTIONS", "NODE_PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES"};
  for (size_t at = 0; at < sizeof names / sizeof *names; at++)
    if (is_named(variable, names[at])) return 1;
  return 0;
}

int is_kept_for_daemon(const char *variable) {
  static const char *const names[] = {"HOME", "USER", "LOGNAME", "PATH", "LANG", "TMPDIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"};
  for (size_t at = 0; at < sizeof names / sizeof *names; at++)
    if (is_named(variable, names[at])) return 1;
  for (const char *const *name = PLATFORM_VARIABLES; *name != NULL; name++)
    if (is_named(variable, *name)) return 1;
  return 0;
}

char **environment_of_program(void) {
  static const char moved[] = "ANYHOOK_CALLER_";
  size_t count = 0;
  while (variables[count] != NULL) count++;
  char **environment = checked(calloc(count + 1, sizeof *environment)), **next = environment;
  for (char **variable = variables; *variable != NULL; variable++) {
    char *entry = *variable;
    if (same_letters(entry, moved, sizeof moved - 1)) continue;
    if (redirects_code(entry)) {
      entry = checked(malloc(sizeof moved + strlen(*variable)));
      sprintf(entry, "%s%s", moved, *variable);
    }
    *next++ = entry;
  }
  return environment;
}

/* The start of the daemon */

/* Every 20 seconds the lock has a new name, so a lock that was left behind needs no removal. */
static char lock_name[4096];
static int has_started, is_watching;

static const char *name_of_lock(int64_t period) {
  static char name[sizeof lock_name];
  const char *slash = strrchr(conf_socket, '/');
  int length = conf_starting != NULL ? snprintf(name, sizeof name, "%s.%lld", conf_starting, (long long)period)
               : LOCK_FOLDER != NULL ? snprintf(name, sizeof name, "%s/starting.%lld", LOCK_FOLDER, (long long)period)
                                     : snprintf(name, sizeof name, "%.*s/starting.%lld", (int)(slash - conf_socket), conf_socket, (long long)period);
  return length < (int)sizeof name ? name : "";
}

/* Returns 1 if this client may start the daemon, 0 if another one does, -1 if the folder takes no file. */
static int take_lock(void) {
  int64_t period = unix_time() / LOCK_S;
  if (is_there(name_of_lock(period - 1))) return 0;
  strcpy(lock_name, name_of_lock(period));
  int created = create_lock(lock_name);
  if (created <= 0) return created;
  /* Only now it is certain that the lock was made within its period, and that no client of the period before has one. */
  if (unix_time() / LOCK_S == period && !is_there(name_of_lock(period - 1))) return 1;
  remove_own_lock(lock_name);
  return 0;
}

/* Starts the daemon unless another client is doing it. Returns 0 if a daemon can be expected, -1 if not. */
static int start_daemon(void) {
  if (is_watching) {
    enum ending ending = daemon_ending();
    if (ending == RUNNING) return 0;
    is_watching = 0;
    remove_own_lock(lock_name);
    return ending == ENDED ? 0 : -1;
  }
  if (has_started) return 0;
  const char *node = find_node(), *program = find_program();
  int lock = take_lock();
  if (lock <= 0) return lock;
  /* A daemon may have begun to listen between the failed connect and the lock. */
  if (connect_to_daemon() != NO_DAEMON) {
    remove_own_lock(lock_name);
    return 0;
  }
  has_started = 1;
  is_watching = launch_daemon(node, program) == 0;
  if (!is_watching) remove_own_lock(lock_name);
  return is_watching ? 0 : -1;
}

/* Frames */

struct view {
  const unsigned char *data;
  size_t length;
};

static uint32_t integer(const unsigned char *data) {
  return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

/* Takes a string off the front of a body. Returns 0 if the body is too short for it. */
static int take_string(struct view *body, struct view *string) {
  if (body->length < 4 || integer(body->data) > body->length - 4) return 0;
  *string = (struct view){body->data + 4, integer(body->data)};
  body->data += 4 + string->length;
  body->length -= 4 + string->length;
  return 1;
}

/* How many bytes of `received` the last frame took. */
static size_t taken;

/* Takes the next complete frame off what was received. Its body is valid until the next call. */
static int next_frame(struct view *body) {
  struct bytes *received = &traffic.received;
  if (taken > 0) memmove(received->data, received->data + taken, received->length -= taken);
  taken = 0;
  if (received->length < 4) return NO_FRAME;
  uint32_t length = integer(received->data);
  if (length < 1 || length > MAX_FRAME) return BAD_FRAME;
  if (received->length - 4 < length) return NO_FRAME;
  *body = (struct view){received->data + 5, length - 1};
  taken = 4 + (size_t)length;
  return received->data[4];
}

static void send_hello(const char *program) {
  traffic.frames.length = traffic.sent = 0;
  append_integer(&traffic.frames, (uint32_t)(1 + 2 + 4 + strlen(program)), 4);
  append_integer(&traffic.frames, HELLO, 1);
  append_integer(&traffic.frames, PROTOCOL_VERSION, 2);
  append_string(&traffic.frames, program);
}

static void send_request(void) {
  struct bytes *frame = &traffic.frames;
  size_t start = frame->length;
  uint32_t count = 0;
  append_integer(frame, 0, 4);
  append_integer(frame, REQUEST, 1);
  append_integer(frame, argument_count, 4);
  for (uint32_t at = 0; at < argument_count; at++) append_string(frame, arguments[at]);
  append_string(frame, current_folder());
  while (variables[count] != NULL) count++;
  append_integer(frame, count, 4);
  for (uint32_t at = 0; at < count; at++) append_string(frame, variables[at]);
  append_integer(frame, parent_process(), 4);
  append_integer(frame, deadline_ms > now_ms() ? (uint32_t)(deadline_ms - now_ms()) : 0, 4);
  append_integer(frame, (uint32_t)traffic.input.length, 4);
  append(frame, traffic.input.data, traffic.input.length);
  size_t length = frame->length - start - 4;
  if (length > MAX_FRAME) fail("the event and its environment are larger than 72 MiB");
  for (int byte = 0; byte < 4; byte++) frame->data[start + (size_t)byte] = (unsigned char)(length >> (24 - 8 * byte));
}

/* The two halves of a conversation */

static void wait_for_bytes(int64_t until_ms) {
  if (now_ms() >= deadline_ms) fail("there was no answer within %ld ms", deadline_after_ms);
  exchange(until_ms < deadline_ms ? until_ms : deadline_ms);
  if (traffic.input.length > MAX_PAYLOAD) fail("the event is larger than 64 MiB");
}

enum attempt { ACCEPTED, TRY_AGAIN, RUN_DIRECTLY, UNRESPONSIVE };

static enum attempt connect_or_start(int64_t until_ms) {
  for (;;) {
    enum connected connected = connect_to_daemon();
    if (connected == CONNECTED) return ACCEPTED;
    if (connected == UNUSABLE) return RUN_DIRECTLY;
    if (connected == NO_DAEMON && start_daemon() != 0) return RUN_DIRECTLY;
    if (now_ms() >= until_ms) return connected == BUSY ? UNRESPONSIVE : RUN_DIRECTLY;
    wait_for_bytes(now_ms() + RETRY_MS);
  }
}

/* Until the request is sent, the client may give up at any point. */
static enum attempt offer(void) {
  int64_t until = now_ms() + READY_WITHIN_MS;
  int ready = 0;
  traffic.received.length = taken = 0;
  traffic.closed = has_started = 0;
  enum attempt attempt = connect_or_start(until);
  if (attempt != ACCEPTED) return attempt;
  send_hello(find_program());
  for (;;) {
    struct view body, reason;
    int type = next_frame(&body);
    if (type == READY && !ready && body.length == 0) ready = 1;
    else if (type == RETIRED && !ready && take_string(&body, &reason) && body.length == 0) return TRY_AGAIN;
    else if (type != NO_FRAME) return RUN_DIRECTLY;
    else if (traffic.closed) return TRY_AGAIN;
    else if (ready && traffic.input_ended) return ACCEPTED;
    else if (!ready && now_ms() >= until) return UNRESPONSIVE;
    else wait_for_bytes(ready ? FOREVER : until);
  }
}

/* From the first byte of the request on, the event belongs to the daemon. */
static void hand_over(void) {
  send_request();
  handed_over = 1;
  traffic.moved_ms = now_ms();
  for (;;) {
    struct view body, out, err;
    int type = next_frame(&body);
    if (type == ANSWER && traffic.sent == traffic.frames.length && body.length > 0) {
      int code = *body.data;
      body = (struct view){body.data + 1, body.length - 1};
      if (take_string(&body, &out) && take_string(&body, &err) && body.length == 0)
        deliver("anyhook", code, out.data, out.length, err.data, err.length);
    } else if (type == FAILED && take_string(&body, &out) && body.length == 0) {
      fail("%.*s", (int)(out.length > 1024 ? 1024 : out.length), (const char *)out.data);
    }
    if (type != NO_FRAME && !(type == WORKING && body.length == 0)) fail("the daemon sent an invalid answer");
    if (type != NO_FRAME) continue;
    if (traffic.closed) fail("the daemon stopped before it answered");
    if (now_ms() >= traffic.moved_ms + SILENCE_MS) fail("the daemon was silent for 10 seconds");
    wait_for_bytes(traffic.moved_ms + SILENCE_MS);
  }
}

static void run_directly(int is_unresponsive) {
  const char **command = checked(calloc(argument_count + 6, sizeof *command));
  size_t at = 0;
  close_connection();
  command[at++] = find_node();
  command[at++] = find_program();
  command[at++] = "bridge";
  for (uint32_t argument = 0; argument < argument_count; argument++) command[at++] = arguments[argument];
  if (is_unresponsive) {
    command[at++] = "--daemon";
    command[at++] = "unresponsive";
  }
  handed_over = 1;
  run_and_deliver(command, deadline_ms);
}

static void read_arguments(void) {
  const char *mode = NULL, *deadline = NULL;
  for (uint32_t at = 0; at < argument_count; at++) {
    const char **value = strcmp(arguments[at], "--on-failure") == 0    ? &mode
                         : strcmp(arguments[at], "--deadline-ms") == 0 ? &deadline
                                                                       : NULL;
    if (value != NULL) *value = ++at < argument_count ? arguments[at] : "";
  }
  if (mode != NULL) {
    size_t known = 0;
    while (known < sizeof MODES / sizeof *MODES && strcmp(mode, MODES[known]) != 0) known++;
    on_failure = known < sizeof MODES / sizeof *MODES ? (enum on_failure)known : REFUSE;
    if (known == sizeof MODES / sizeof *MODES) fail("--on-failure does not know \"%s\"", mode);
  }
  if (deadline != NULL) {
    char *end;
    long ms = strtol(deadline, &end, 10);
    if (*deadline < '0' || *deadline > '9' || *end != 0 || ms < 1 || ms > 2147483647)
      fail("--deadline-ms is \"%s\" and not a number of milliseconds", deadline);
    deadline_ms += ms - deadline_after_ms;
    deadline_after_ms = ms;
  }
}

int run_client(int argc, char **argv, const char *folder) {
  deadline_ms = now_ms() + deadline_after_ms;
  arguments = argv + (argc > 0);
  argument_count = (uint32_t)(argc > 0 ? argc - 1 : 0);
  read_arguments();
  read_conf(folder);
  enum attempt attempt = conf_socket == NULL ? RUN_DIRECTLY : offer();
  if (attempt == TRY_AGAIN) {
    close_connection();
    attempt = offer();
  }
  if (attempt == ACCEPTED) hand_over();
  run_directly(attempt == UNRESPONSIVE);
  return 1;
}
