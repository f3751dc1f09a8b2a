/*
 * What client.c needs from the platform. posix.c and windows.c implement it; docs/reference/protocol.md describes the
 * behaviour. All text is UTF-8.
 */
#ifndef ANYHOOK_CLIENT_H
#define ANYHOOK_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#define MAX_PAYLOAD (64u << 20)
#define FOREVER INT64_MAX

struct bytes {
  unsigned char *data;
  size_t length, capacity;
};

void append(struct bytes *to, const void *data, size_t length);
/* Makes room for more bytes and returns where they go; the caller then adds to the length. */
unsigned char *reserve(struct bytes *in, size_t more);

/* One connection to the daemon and the client's own stdin. exchange() fills and empties it. */
struct traffic {
  struct bytes received, input;
  /* The frames to send, and how many bytes of them are sent. */
  struct bytes frames;
  size_t sent;
  int closed, input_ended;
  /* When the last byte came or went. */
  int64_t moved_ms;
};
extern struct traffic traffic;

extern const char *conf_socket, *conf_starting;

enum connected { CONNECTED, NO_DAEMON, BUSY, UNUSABLE };
enum stream { STDOUT = 1, STDERR = 2 };

/* Prints why there is no answer, in the way --on-failure asks for, and exits. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2), noreturn))
#endif
void fail(const char *format, ...);
/* Prints an answer and exits. A code that is no answer is a failure. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void deliver(const char *who, int code, const unsigned char *out, size_t out_length, const unsigned char *err,
             size_t err_length);
/* They fail if Node.js or the program is missing. */
const char *find_node(void);
const char *find_program(void);
/* Whether the daemon gets this "NAME=value". */
int is_kept_for_daemon(const char *variable);
/* The variables for a direct run: those that make other code run have other names. */
char **environment_of_program(void);

/* What each platform implements. */
int run_client(int argc, char **argv, const char *folder);
extern char **variables; /* NULL-terminated "NAME=value" */
extern const char *const PLATFORM_VARIABLES[];
extern const char NODE[];

/* Where locks are if the settings do not say so; NULL: beside the socket. */
extern const char *LOCK_FOLDER;

int64_t now_ms(void);
int64_t unix_time(void);
/* Compares names of variables. */
int same_letters(const char *one, const char *other, size_t length);
char *current_folder(void);
unsigned parent_process(void);
/* Returns how many bytes of the file fit into the buffer; -1 if it cannot be read. */
long read_file(const char *path, char *into, size_t size);
int is_executable(const char *path);
int is_readable(const char *path);
/* The first file of this name in an absolute folder of PATH, or NULL. */
char *find_on_path(const char *name);

/* Makes the folder of the socket, checks it and connects. */
enum connected connect_to_daemon(void);
void close_connection(void);
/* Returns 1 if the file was created, 0 if it exists, -1 if it cannot be created. */
int create_lock(const char *path);
/* Removes the lock if it is still the one that this client made. */
void remove_own_lock(const char *path);
int is_there(const char *path);
int launch_daemon(const char *node, const char *program);
enum ending { RUNNING, ENDED, CRASHED };
enum ending daemon_ending(void);
/* Waits until bytes move or the time is reached, and moves them. */
void exchange(int64_t until_ms);
/* Returns 0, or -1 if the bytes cannot be written before the time. */
int print(enum stream stream, const unsigned char *data, size_t length, int64_t until_ms);
/* Runs a program with the client's stdin, collects its output and calls deliver(). */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void run_and_deliver(const char *const *command, int64_t until_ms);
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void end_process(int code);

#endif
