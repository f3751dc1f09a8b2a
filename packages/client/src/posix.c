/* The client on Linux and macOS. client.h describes each function. */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#ifdef __APPLE__
#define MODIFIED st_mtimespec
#else
#define MODIFIED st_mtim
#endif
#define PIPE_SIZE 4096
#define CHUNK 65536

extern char **environ;
char **variables;
const char *const PLATFORM_VARIABLES[] = {NULL};
const char NODE[] = "node";
const char *LOCK_FOLDER = NULL;

static int connection = -1;
/* The daemon takes no more bytes. */
static int is_broken;
/* The identity of the lock that this client made, and the processes that it started. */
static struct stat own_lock;
static pid_t daemon_process, program_process;

void end_process(int code) { _exit(code); }

int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t unix_time(void) { return (int64_t)time(NULL); }

static int poll_until(struct pollfd *files, nfds_t count, int64_t until_ms) {
  int64_t left = until_ms - now_ms();
  return poll(files, count, left < 0 ? 0 : left > 60000 ? 60000 : (int)left);
}

char *current_folder(void) {
  char *folder = getcwd(NULL, 0);
  if (folder == NULL) fail("the working directory cannot be read: %s", strerror(errno));
  return folder;
}

unsigned parent_process(void) { return (unsigned)getppid(); }

long read_file(const char *path, char *into, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  size_t length = 0;
  ssize_t got;
  while ((got = read(file, into + length, size - length)) > 0 || (got < 0 && errno == EINTR))
    if (got > 0) length += (size_t)got;
  close(file);
  return got < 0 ? -1 : (long)length;
}

int is_there(const char *path) {
  struct stat file;
  return lstat(path, &file) == 0;
}

static int is_file(const char *path) {
  struct stat file;
  return stat(path, &file) == 0 && S_ISREG(file.st_mode);
}
int is_executable(const char *path) { return is_file(path) && access(path, X_OK) == 0; }
int is_readable(const char *path) { return is_file(path) && access(path, R_OK) == 0; }

/* Relative folders of PATH are skipped: they lead into whatever project the agent works in. */
char *find_on_path(const char *name) {
  const char *path = getenv("PATH");
  for (const char *at = path; at != NULL && *at != 0;) {
    size_t length = strcspn(at, ":");
    char *file = NULL;
    if (*at == '/' && (file = malloc(length + strlen(name) + 2)) != NULL) {
      sprintf(file, "%.*s/%s", (int)length, at, name);
      if (is_executable(file)) return file;
      free(file);
    }
    at += length + (at[length] == ':');
  }
  return NULL;
}

/* The connection */

/* Makes a folder and those above it, with mode 0700. */
static void make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
    if (slash != NULL) *slash = 0;
    mkdir(path, 0700);
    if (slash == NULL) return;
    *slash = '/';
  }
}

static int is_private_folder(char *path) {
  struct stat folder;
  if (lstat(path, &folder) != 0 && errno == ENOENT) make_folders(path);
  return lstat(path, &folder) == 0 && S_ISDIR(folder.st_mode) && folder.st_uid == geteuid() && (folder.st_mode & 07777) == 0700;
}

enum connected connect_to_daemon(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char folder[sizeof address.sun_path];
  const char *slash = strrchr(conf_socket, '/');
  struct stat file;
  if (connection >= 0) return CONNECTED;
  if (strlen(conf_socket) >= sizeof address.sun_path || *conf_socket != '/' || slash == conf_socket) return UNUSABLE;
  strcpy(address.sun_path, conf_socket);
  sprintf(folder, "%.*s", (int)(slash - conf_socket), conf_socket);
  if (!is_private_folder(folder)) return UNUSABLE;
  if (lstat(conf_socket, &file) != 0) return errno == ENOENT ? NO_DAEMON : UNUSABLE;
  if (!S_ISSOCK(file.st_mode) || file.st_uid != geteuid()) return UNUSABLE;

  int socket_file = socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket_file < 0) return UNUSABLE;
  fcntl(socket_file, F_SETFD, FD_CLOEXEC);
  fcntl(socket_file, F_SETFL, O_NONBLOCK);
  if (connect(socket_file, (struct sockaddr *)&address, sizeof address) == 0) {
    connection = socket_file;
    return CONNECTED;
  }
  int error = errno;
  close(socket_file);
  if (error == ECONNREFUSED || error == ENOENT) return NO_DAEMON;
  return error == EAGAIN || error == EINPROGRESS || error == EINTR ? BUSY : UNUSABLE;
}

void close_connection(void) {
  if (connection >= 0) close(connection);
  connection = -1;
  is_broken = 0;
}

static void read_input(void) {
  ssize_t got = read(0, reserve(&traffic.input, CHUNK), CHUNK);
  if (got > 0) traffic.input.length += (size_t)got;
  else if (got == 0) traffic.input_ended = 1;
  else if (errno != EINTR && errno != EAGAIN) fail("standard input cannot be read: %s", strerror(errno));
}

void exchange(int64_t until_ms) {
  int open = connection >= 0 && !traffic.closed;
  int sends = open && !is_broken && traffic.sent < traffic.frames.length;
  struct pollfd files[] = {{.fd = open ? connection : -1, .events = (short)(POLLIN | (sends ? POLLOUT : 0))},
                           {.fd = traffic.input_ended || traffic.input.length > MAX_PAYLOAD ? -1 : 0, .events = POLLIN}};
  if (poll_until(files, 2, until_ms) <= 0) return;
  if (files[1].revents != 0) read_input();
  if (sends && (files[0].revents & POLLOUT)) {
    ssize_t sent = send(connection, traffic.frames.data + traffic.sent, traffic.frames.length - traffic.sent, 0);
    if (sent > 0) {
      traffic.sent += (size_t)sent;
      traffic.moved_ms = now_ms();
    } else if (sent < 0 && errno != EINTR && errno != EAGAIN) {
      /* The daemon may have said why before it closed the connection: what it sent is still read. */
      is_broken = 1;
    }
  }
  if (files[0].revents & ~POLLOUT) {
    ssize_t got = recv(connection, reserve(&traffic.received, CHUNK), CHUNK, 0);
    if (got > 0) {
      traffic.received.length += (size_t)got;
      traffic.moved_ms = now_ms();
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
      traffic.closed = 1;
    }
  }
}

int print(enum stream stream, const unsigned char *data, size_t length, int64_t until_ms) {
  for (size_t at = 0; at < length;) {
    struct pollfd file = {.fd = (int)stream, .events = POLLOUT};
    if (poll_until(&file, 1, until_ms) <= 0) {
      if (now_ms() >= until_ms) return -1;
      continue;
    }
    /* A pipe that is ready takes so much without blocking; the descriptor is shared, so it stays as it is. */
    ssize_t written = write((int)stream, data + at, length - at < PIPE_SIZE ? length - at : PIPE_SIZE);
    if (written > 0) at += (size_t)written;
    else if (written == 0 || (errno != EINTR && errno != EAGAIN)) return -1;
  }
  return 0;
}

/* Processes */

static void reset_signals(void) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  const int signals[] = {SIGPIPE, SIGTERM, SIGINT, SIGHUP};
  for (size_t at = 0; at < sizeof signals / sizeof *signals; at++) signal(signals[at], SIG_DFL);
}

/* The daemon outlives the agent: it must not keep the agent's pipes open. */
static void close_inherited_files(void) {
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, 3u, ~0u, 0u) == 0) return;
#endif
  long most = sysconf(_SC_OPEN_MAX);
  for (int file = 3; file < (most > 0 && most < 65536 ? most : 65536); file++) close(file);
}

static void become_daemon(const char *node, const char *program, char **environment) {
  const char *command[] = {node, program, "daemon", "run", NULL};
  reset_signals();
  setsid();
  int nowhere = open("/dev/null", O_RDWR);
  for (int file = 0; file < 3; file++) dup2(nowhere, file);
  close_inherited_files();
  if (chdir("/") == 0) execve(node, (char *const *)command, environment);
  _exit(127);
}

int create_lock(const char *path) {
  int lock = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (lock < 0) return errno == EEXIST ? 0 : -1;
  fstat(lock, &own_lock);
  close(lock);
  return 1;
}

void remove_own_lock(const char *path) {
  struct stat lock;
  if (lstat(path, &lock) == 0 && lock.st_ino == own_lock.st_ino && lock.MODIFIED.tv_nsec == own_lock.MODIFIED.tv_nsec) unlink(path);
}

int launch_daemon(const char *node, const char *program) {
  size_t count = 0;
  while (variables[count] != NULL) count++;
  char **environment = calloc(count + 1, sizeof *environment);
  if (environment == NULL) return -1;
  for (char **variable = variables, **kept = environment; *variable != NULL; variable++)
    if (is_kept_for_daemon(*variable)) *kept++ = *variable;
  daemon_process = fork();
  if (daemon_process == 0) become_daemon(node, program, environment);
  free(environment);
  return daemon_process > 0 ? 0 : -1;
}

enum ending daemon_ending(void) {
  int status;
  if (waitpid(daemon_process, &status, WNOHANG) != daemon_process) return RUNNING;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? ENDED : CRASHED;
}

static void pass_signal_on(int signal_number) {
  kill(program_process, signal_number);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static int open_pipe(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  return 0;
}

/* Moves what is there. Returns 0 when the file has ended. */
static int collect(int file, struct bytes *into) {
  ssize_t got = read(file, reserve(into, CHUNK), CHUNK);
  if (got > 0) into->length += (size_t)got;
  return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

static void close_file(int *file) {
  if (*file >= 0) close(*file);
  *file = -1;
}

void run_and_deliver(const char *const *command, int64_t until_ms) {
  int in[2], out[2], err[2], status = 0, has_ended = 0;
  struct bytes output = {0}, errors = {0};
  size_t given = 0;
  char **environment = environment_of_program();
  if (open_pipe(in) != 0 || open_pipe(out) != 0 || open_pipe(err) != 0) fail("no pipe can be opened: %s", strerror(errno));
  program_process = fork();
  if (program_process < 0) fail("no process can be started: %s", strerror(errno));
  if (program_process == 0) {
    reset_signals();
    if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0) _exit(127);
    execve(command[0], (char *const *)command, environment);
    _exit(127);
  }
  const int signals[] = {SIGTERM, SIGINT, SIGHUP};
  for (size_t at = 0; at < sizeof signals / sizeof *signals; at++) signal(signals[at], pass_signal_on);
  close(in[0]), close(out[1]), close(err[1]);
  const int ours[] = {in[1], out[0], err[0]};
  for (size_t at = 0; at < sizeof ours / sizeof *ours; at++) fcntl(ours[at], F_SETFL, O_NONBLOCK);

  while (out[0] >= 0 || err[0] >= 0 || !has_ended) {
    const char *reason = traffic.input.length > MAX_PAYLOAD                                     ? "the event is larger than 64 MiB"
                         : output.length > MAX_PAYLOAD || errors.length > MAX_PAYLOAD ? "anyhook printed more than 64 MiB"
                         : now_ms() >= until_ms                                       ? "anyhook did not end before the deadline"
                                                                                      : NULL;
    if (reason != NULL) {
      kill(program_process, SIGKILL);
      fail("%s", reason);
    }
    if (in[1] >= 0 && traffic.input_ended && given == traffic.input.length) close_file(&in[1]);
    struct pollfd files[] = {{.fd = traffic.input_ended || in[1] < 0 ? -1 : 0, .events = POLLIN},
                             {.fd = given < traffic.input.length ? in[1] : -1, .events = POLLOUT},
                             {.fd = out[0], .events = POLLIN},
                             {.fd = err[0], .events = POLLIN}};
    /* A background process may keep the pipes open after the program: its end counts. */
    int64_t soon = now_ms() + (out[0] < 0 && err[0] < 0 ? 1 : 20);
    int ready = poll_until(files, 4, soon < until_ms ? soon : until_ms);
    if (files[0].revents != 0) read_input();
    if (files[1].revents != 0) {
      ssize_t written = write(in[1], traffic.input.data + given, traffic.input.length - given);
      if (written > 0) given += (size_t)written;
      else if (errno != EINTR && errno != EAGAIN) close_file(&in[1]);
    }
    if (files[2].revents != 0 && !collect(out[0], &output)) close_file(&out[0]);
    if (files[3].revents != 0 && !collect(err[0], &errors)) close_file(&err[0]);
    if (has_ended && ready <= 0) break;
    if (!has_ended && ready <= 0) has_ended = waitpid(program_process, &status, WNOHANG) == program_process;
  }
  if (WIFSIGNALED(status)) {
    print(STDERR, errors.data, errors.length, until_ms);
    fail("anyhook was ended by signal %d", WTERMSIG(status));
  }
  deliver("anyhook", WEXITSTATUS(status), output.data, output.length, errors.data, errors.length);
}

int same_letters(const char *one, const char *other, size_t length) { return strncmp(one, other, length) == 0; }

/* The folder of the client's own file. */
static const char *own_folder(const char *command) {
  char *file = strchr(command, '/') != NULL ? strdup(command) : find_on_path(command);
  if (file == NULL) return ".";
  *strrchr(file, '/') = 0;
  return *file == 0 ? "/" : file;
}

int main(int argc, char **argv) {
  variables = environ;
  /* A file that is opened later must not become one of the agent's pipes. */
  int spare = open("/dev/null", O_RDWR);
  while (spare >= 0 && spare < 3) spare = dup(spare);
  if (spare >= 3) close(spare);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
  return run_client(argc, argv, own_folder(argc > 0 ? argv[0] : "/"));
}
