/* The client on Windows. client.h describes each function. */
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0A00
#include "client.h"

#include <windows.h>

#include <aclapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tlhelp32.h>
#include <wchar.h>

#define CHUNK 65536
/* Unix time in FILETIME's unit of 100 ns, which counts from 1601. */
#define UNIX_EPOCH_S 11644473600LL

char **variables;
const char *const PLATFORM_VARIABLES[] = {"SystemRoot", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "TEMP", NULL};
const char NODE[] = "node.exe";
const char *LOCK_FOLDER;

static HANDLE connection = INVALID_HANDLE_VALUE, daemon_process;
static OVERLAPPED reading, writing;
static int is_reading, is_writing;
static unsigned char arrived[CHUNK];
static BY_HANDLE_FILE_INFORMATION own_lock;

/* What a thread has read from stdin and the main thread has not taken yet. */
static struct {
  CRITICAL_SECTION lock;
  HANDLE changed;
  unsigned char data[CHUNK];
  DWORD length;
  int has_ended;
  HANDLE taken;
} input;

void end_process(int code) {
  TerminateProcess(GetCurrentProcess(), (UINT)code);
  for (;;) Sleep(INFINITE);
}

static void *allocate(size_t size) {
  void *memory = calloc(1, size);
  if (memory == NULL) fail("there is no memory left");
  return memory;
}

static wchar_t *wide(const char *text) {
  int length = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
  wchar_t *result = allocate((size_t)length * sizeof *result);
  MultiByteToWideChar(CP_UTF8, 0, text, -1, result, length);
  return result;
}

static char *narrow(const wchar_t *text) {
  int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
  char *result = allocate((size_t)length);
  WideCharToMultiByte(CP_UTF8, 0, text, -1, result, length, NULL, NULL);
  return result;
}

int64_t now_ms(void) { return (int64_t)GetTickCount64(); }

int64_t unix_time(void) {
  FILETIME now;
  GetSystemTimeAsFileTime(&now);
  return (int64_t)(((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime) / 10000000) - UNIX_EPOCH_S;
}

static DWORD left_until(int64_t until_ms) {
  int64_t left = until_ms - now_ms();
  return left < 0 ? 0 : left > 60000 ? 60000 : (DWORD)left;
}

int same_letters(const char *one, const char *other, size_t length) { return _strnicmp(one, other, length) == 0; }

char *current_folder(void) {
  DWORD length = GetCurrentDirectoryW(0, NULL);
  wchar_t *folder = allocate((length + 1) * sizeof *folder);
  if (length == 0 || GetCurrentDirectoryW(length, folder) == 0) fail("the working directory cannot be read");
  return narrow(folder);
}

unsigned parent_process(void) {
  PROCESSENTRY32W entry = {.dwSize = sizeof entry};
  HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  unsigned parent = 0;
  for (BOOL more = all != INVALID_HANDLE_VALUE && Process32FirstW(all, &entry); more; more = Process32NextW(all, &entry))
    if (entry.th32ProcessID == GetCurrentProcessId()) parent = entry.th32ParentProcessID;
  if (all != INVALID_HANDLE_VALUE) CloseHandle(all);
  return parent;
}

long read_file(const char *path, char *into, size_t size) {
  DWORD length = 0;
  HANDLE file = CreateFileW(wide(path), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, 0, NULL);
  if (file == INVALID_HANDLE_VALUE) return -1;
  BOOL is_read = ReadFile(file, into, (DWORD)size, &length, NULL);
  CloseHandle(file);
  return is_read ? (long)length : -1;
}

static int has_attributes(const char *path, DWORD unwanted) {
  DWORD attributes = GetFileAttributesW(wide(path));
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & unwanted) == 0;
}
int is_there(const char *path) { return has_attributes(path, 0); }
int is_executable(const char *path) { return has_attributes(path, FILE_ATTRIBUTE_DIRECTORY); }
int is_readable(const char *path) { return has_attributes(path, FILE_ATTRIBUTE_DIRECTORY); }

/* Relative folders of PATH are skipped: they lead into whatever project the agent works in. */
char *find_on_path(const char *name) {
  const char *path = NULL;
  for (char **variable = variables; *variable != NULL; variable++)
    if (same_letters(*variable, "PATH=", 5)) path = *variable + 5;
  for (const char *at = path; at != NULL && *at != 0;) {
    size_t length = strcspn(at, ";");
    if (length > 2 && at[1] == ':' && (at[2] == '\\' || at[2] == '/')) {
      char *file = allocate(length + strlen(name) + 2);
      sprintf(file, "%.*s\\%s", (int)length, at, name);
      if (is_executable(file)) return file;
      free(file);
    }
    at += length + (at[length] == ';');
  }
  return NULL;
}

/* The connection */

static void *information_of_token(HANDLE process, TOKEN_INFORMATION_CLASS kind) {
  HANDLE token;
  DWORD size = 0;
  if (!OpenProcessToken(process, TOKEN_QUERY, &token)) return NULL;
  GetTokenInformation(token, kind, NULL, 0, &size);
  void *information = allocate(size == 0 ? 1 : size);
  BOOL is_known = GetTokenInformation(token, kind, information, size, &size);
  CloseHandle(token);
  return is_known ? information : NULL;
}

/* For Wine, which does not know the owner of a pipe. */
static TOKEN_USER *user_of_server(HANDLE pipe) {
  ULONG id = 0;
  HANDLE server = GetNamedPipeServerProcessId(pipe, &id) ? OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, id) : NULL;
  TOKEN_USER *user = server == NULL ? NULL : information_of_token(server, TokenUser);
  if (server != NULL) CloseHandle(server);
  return user;
}

/* The pipe must belong to the user, or to the group that owns what an elevated process of the user makes. */
static int is_own_pipe(HANDLE pipe) {
  PSID owner = NULL;
  PSECURITY_DESCRIPTOR descriptor = NULL;
  TOKEN_USER *user = information_of_token(GetCurrentProcess(), TokenUser);
  TOKEN_OWNER *group = information_of_token(GetCurrentProcess(), TokenOwner);
  if (user == NULL || GetSecurityInfo(pipe, SE_KERNEL_OBJECT, OWNER_SECURITY_INFORMATION, &owner, NULL, NULL, NULL, &descriptor) != ERROR_SUCCESS)
    return 0;
  if (owner != NULL) return EqualSid(owner, user->User.Sid) || (group != NULL && EqualSid(owner, group->Owner));
  TOKEN_USER *server = user_of_server(pipe);
  return server != NULL && EqualSid(server->User.Sid, user->User.Sid);
}

enum connected connect_to_daemon(void) {
  if (connection != INVALID_HANDLE_VALUE) return CONNECTED;
  if (strncmp(conf_socket, "\\\\.\\pipe\\", 9) != 0) return UNUSABLE;
  HANDLE pipe = CreateFileW(wide(conf_socket), GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                            FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, NULL);
  if (pipe == INVALID_HANDLE_VALUE) {
    DWORD error = GetLastError();
    return error == ERROR_FILE_NOT_FOUND ? NO_DAEMON : error == ERROR_PIPE_BUSY ? BUSY : UNUSABLE;
  }
  if (!is_own_pipe(pipe)) {
    CloseHandle(pipe);
    return UNUSABLE;
  }
  connection = pipe;
  is_reading = is_writing = 0;
  return CONNECTED;
}

void close_connection(void) {
  if (connection == INVALID_HANDLE_VALUE) return;
  CancelIoEx(connection, NULL);
  DWORD ignored;
  if (is_reading) GetOverlappedResult(connection, &reading, &ignored, TRUE);
  if (is_writing) GetOverlappedResult(connection, &writing, &ignored, TRUE);
  CloseHandle(connection);
  connection = INVALID_HANDLE_VALUE;
}

static DWORD WINAPI read_input(void *nothing) {
  static unsigned char chunk[CHUNK];
  DWORD length;
  (void)nothing;
  for (;;) {
    BOOL is_read = ReadFile(GetStdHandle(STD_INPUT_HANDLE), chunk, CHUNK, &length, NULL);
    EnterCriticalSection(&input.lock);
    input.length = is_read ? length : 0;
    input.has_ended = input.length == 0;
    memcpy(input.data, chunk, input.length);
    LeaveCriticalSection(&input.lock);
    SetEvent(input.changed);
    if (!is_read || length == 0) return 0;
    WaitForSingleObject(input.taken, INFINITE);
  }
}

static void take_input(void) {
  if (traffic.input.length > MAX_PAYLOAD) return;
  EnterCriticalSection(&input.lock);
  append(&traffic.input, input.data, input.length);
  int is_more = input.length > 0;
  input.length = 0;
  traffic.input_ended = input.has_ended;
  LeaveCriticalSection(&input.lock);
  if (is_more) SetEvent(input.taken);
}

static void start_reading(void) {
  HANDLE event = reading.hEvent;
  memset(&reading, 0, sizeof reading);
  reading.hEvent = event;
  is_reading = ReadFile(connection, arrived, CHUNK, NULL, &reading) || GetLastError() == ERROR_IO_PENDING;
  if (!is_reading) traffic.closed = 1;
}

static int start_writing(void) {
  HANDLE event = writing.hEvent;
  size_t length = traffic.frames.length - traffic.sent;
  memset(&writing, 0, sizeof writing);
  writing.hEvent = event;
  is_writing = WriteFile(connection, traffic.frames.data + traffic.sent, (DWORD)(length < CHUNK ? length : CHUNK), NULL, &writing) ||
               GetLastError() == ERROR_IO_PENDING;
  return is_writing;
}

void exchange(int64_t until_ms) {
  static int is_broken;
  HANDLE events[] = {input.changed, reading.hEvent, writing.hEvent};
  DWORD moved;
  int is_open = connection != INVALID_HANDLE_VALUE && !traffic.closed;
  if (connection == INVALID_HANDLE_VALUE) is_broken = 0;
  if (is_open && !is_reading) start_reading();
  if (is_open && !is_writing && !is_broken && traffic.sent < traffic.frames.length) is_broken = !start_writing();
  if (traffic.closed && is_open) return;
  WaitForMultipleObjects(!is_open ? 1 : is_writing ? 3 : 2, events, FALSE, left_until(until_ms));
  take_input();
  if (is_open && is_reading && WaitForSingleObject(reading.hEvent, 0) == WAIT_OBJECT_0) {
    is_reading = 0;
    if (GetOverlappedResult(connection, &reading, &moved, FALSE) && moved > 0) {
      append(&traffic.received, arrived, moved);
      traffic.moved_ms = now_ms();
    } else {
      traffic.closed = 1;
    }
  }
  if (is_open && is_writing && WaitForSingleObject(writing.hEvent, 0) == WAIT_OBJECT_0) {
    is_writing = 0;
    /* The daemon may have said why before it closed the connection: what it sent is still read. */
    if (!GetOverlappedResult(connection, &writing, &moved, FALSE)) is_broken = 1;
    else {
      traffic.sent += moved;
      traffic.moved_ms = now_ms();
    }
  }
}

struct output {
  HANDLE file;
  const unsigned char *data;
  size_t length;
};

static DWORD WINAPI write_output(void *given) {
  struct output *output = given;
  for (DWORD written; output->length > 0; output->data += written, output->length -= written)
    if (!WriteFile(output->file, output->data, output->length < CHUNK ? (DWORD)output->length : CHUNK, &written, NULL)) return 1;
  return 0;
}

/* In a thread, because a reader that stops reading must not stop the clock. */
int print(enum stream stream, const unsigned char *data, size_t length, int64_t until_ms) {
  if (length == 0) return 0;
  struct output output = {GetStdHandle(stream == STDOUT ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE), data, length};
  HANDLE thread = CreateThread(NULL, 0, write_output, &output, 0, NULL);
  DWORD failed = 1;
  if (thread == NULL) return -1;
  if (WaitForSingleObject(thread, left_until(until_ms)) == WAIT_OBJECT_0) GetExitCodeThread(thread, &failed);
  else TerminateThread(thread, 1);
  CloseHandle(thread);
  return failed ? -1 : 0;
}

/* Processes */

int create_lock(const char *path) {
  HANDLE lock = CreateFileW(wide(path), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
  if (lock == INVALID_HANDLE_VALUE) return GetLastError() == ERROR_FILE_EXISTS ? 0 : -1;
  GetFileInformationByHandle(lock, &own_lock);
  CloseHandle(lock);
  return 1;
}

void remove_own_lock(const char *path) {
  BY_HANDLE_FILE_INFORMATION lock;
  HANDLE file = CreateFileW(wide(path), 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, 0, NULL);
  if (file == INVALID_HANDLE_VALUE) return;
  int is_own = GetFileInformationByHandle(file, &lock) && lock.nFileIndexLow == own_lock.nFileIndexLow &&
               lock.nFileIndexHigh == own_lock.nFileIndexHigh && CompareFileTime(&lock.ftCreationTime, &own_lock.ftCreationTime) == 0;
  CloseHandle(file);
  if (is_own) DeleteFileW(wide(path));
}

/* Quotes an argument so that the C runtime of the program reads it as it was. */
static void append_argument(struct bytes *line, const char *argument) {
  append(line, "\"", 1);
  for (const char *at = argument;; at++) {
    size_t slashes = strspn(at, "\\");
    at += slashes;
    if (*at == 0 || *at == '"') slashes *= 2;
    while (slashes-- > 0) append(line, "\\", 1);
    if (*at == 0) break;
    if (*at == '"') append(line, "\\", 1);
    append(line, at, 1);
  }
  append(line, "\" ", 2);
}

/* The process inherits the three files of `files` and nothing else: the agent's pipes must not stay open. */
static HANDLE start_process(const char *const *command, char **environment, const wchar_t *folder, DWORD flags, HANDLE *files) {
  struct bytes line = {0};
  PROCESS_INFORMATION process;
  STARTUPINFOEXW start = {.StartupInfo = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES}};
  SIZE_T needed = 0;
  size_t size = 1;
  start.StartupInfo.hStdInput = files[0];
  start.StartupInfo.hStdOutput = files[1];
  start.StartupInfo.hStdError = files[2];
  InitializeProcThreadAttributeList(NULL, 1, 0, &needed);
  start.lpAttributeList = allocate(needed);
  if (!InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &needed) ||
      !UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, files, 3 * sizeof *files, NULL, NULL))
    return NULL;
  for (const char *const *argument = command; *argument != NULL; argument++) append_argument(&line, *argument);
  append(&line, "", 1);
  for (char **variable = environment; *variable != NULL; variable++) size += wcslen(wide(*variable)) + 1;
  wchar_t *block = allocate((size + 1) * sizeof *block), *next = block;
  for (char **variable = environment; *variable != NULL; variable++) {
    wcscpy(next, wide(*variable));
    next += wcslen(next) + 1;
  }
  if (!CreateProcessW(wide(command[0]), wide((char *)line.data), NULL, NULL, TRUE, flags | CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT,
                      block, folder, &start.StartupInfo, &process))
    return NULL;
  CloseHandle(process.hThread);
  return process.hProcess;
}

int launch_daemon(const char *node, const char *program) {
  const char *command[] = {node, program, "daemon", "run", NULL};
  SECURITY_ATTRIBUTES inherits = {.nLength = sizeof inherits, .bInheritHandle = TRUE};
  HANDLE nowhere[3];
  wchar_t folder[MAX_PATH] = L"C:\\";
  size_t count = 0;
  while (variables[count] != NULL) count++;
  char **environment = allocate((count + 1) * sizeof *environment);
  for (char **variable = variables, **kept = environment; *variable != NULL; variable++)
    if (is_kept_for_daemon(*variable)) *kept++ = *variable;
  if (GetWindowsDirectoryW(folder, MAX_PATH) > 3) folder[3] = 0;
  for (int file = 0; file < 3; file++)
    nowhere[file] = CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherits, OPEN_EXISTING, 0, NULL);
  daemon_process = start_process(command, environment, folder, DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP, nowhere);
  for (int file = 0; file < 3; file++) CloseHandle(nowhere[file]);
  return daemon_process == NULL ? -1 : 0;
}

enum ending daemon_ending(void) {
  DWORD code = 1;
  if (WaitForSingleObject(daemon_process, 0) != WAIT_OBJECT_0) return RUNNING;
  return GetExitCodeProcess(daemon_process, &code) && code == 0 ? ENDED : CRASHED;
}

struct collection {
  HANDLE file;
  CRITICAL_SECTION lock;
  struct bytes bytes;
};

static DWORD WINAPI collect(void *given) {
  struct collection *collection = given;
  unsigned char *chunk = malloc(CHUNK);
  for (DWORD length; chunk != NULL && ReadFile(collection->file, chunk, CHUNK, &length, NULL) && length > 0;) {
    EnterCriticalSection(&collection->lock);
    append(&collection->bytes, chunk, length);
    size_t all = collection->bytes.length;
    LeaveCriticalSection(&collection->lock);
    if (all > MAX_PAYLOAD) break;
  }
  return 0;
}

/* One end of a pipe stays with the client; the program inherits the other. */
static HANDLE open_pipe(HANDLE *inherited, int is_input) {
  SECURITY_ATTRIBUTES inherits = {.nLength = sizeof inherits, .bInheritHandle = TRUE};
  HANDLE read_end, write_end;
  if (!CreatePipe(&read_end, &write_end, &inherits, 0)) fail("no pipe can be opened");
  HANDLE own = is_input ? write_end : read_end;
  *inherited = is_input ? read_end : write_end;
  SetHandleInformation(own, HANDLE_FLAG_INHERIT, 0);
  return own;
}

void run_and_deliver(const char *const *command, int64_t until_ms) {
  HANDLE theirs[3];
  static struct collection output, errors;
  struct collection *const collections[] = {&output, &errors};
  HANDLE threads[2];
  HANDLE given = open_pipe(&theirs[0], 1);
  output.file = open_pipe(&theirs[1], 0);
  errors.file = open_pipe(&theirs[2], 0);
  HANDLE program = start_process(command, environment_of_program(), NULL, CREATE_NO_WINDOW, theirs);
  if (program == NULL) fail("no process can be started: error %lu", GetLastError());
  for (int file = 0; file < 3; file++) CloseHandle(theirs[file]);
  for (int at = 0; at < 2; at++) {
    InitializeCriticalSection(&collections[at]->lock);
    threads[at] = CreateThread(NULL, 0, collect, collections[at], 0, NULL);
  }
  HANDLE feeder = NULL;
  struct output fed = {given, NULL, 0};
  size_t passed = 0;
  DWORD code = 1;
  for (int has_ended = 0; !has_ended;) {
    const char *reason = traffic.input.length > MAX_PAYLOAD                                         ? "the event is larger than 64 MiB"
                         : output.bytes.length > MAX_PAYLOAD || errors.bytes.length > MAX_PAYLOAD ? "anyhook printed more than 64 MiB"
                         : now_ms() >= until_ms                                                     ? "anyhook did not end before the deadline"
                                                                                                    : NULL;
    if (reason != NULL) {
      TerminateProcess(program, 1);
      fail("%s", reason);
    }
    /* A program that does not read its input must not stop the client, so a thread writes; it owns the bytes until it ends. */
    if (feeder == NULL && passed < traffic.input.length) {
      fed.length = traffic.input.length - passed;
      unsigned char *copy = allocate(fed.length);
      memcpy(copy, traffic.input.data + passed, fed.length);
      fed.data = copy;
      passed = traffic.input.length;
      feeder = CreateThread(NULL, 0, write_output, &fed, 0, NULL);
    } else if (feeder == NULL && traffic.input_ended && given != NULL) {
      CloseHandle(given);
      given = NULL;
    }
    HANDLE events[] = {program, traffic.input_ended ? program : input.changed, feeder == NULL ? program : feeder};
    int64_t soon = now_ms() + 100;
    DWORD event = WaitForMultipleObjects(3, events, FALSE, left_until(soon < until_ms ? soon : until_ms));
    take_input();
    has_ended = WaitForSingleObject(program, 0) == WAIT_OBJECT_0;
    if (event == WAIT_OBJECT_0 + 2 && feeder != NULL && WaitForSingleObject(feeder, 0) == WAIT_OBJECT_0) {
      CloseHandle(feeder);
      feeder = NULL;
    }
  }
  GetExitCodeProcess(program, &code);
  /* A background process may keep the pipes open after the program: its end counts. */
  for (size_t seen = 1; seen != output.bytes.length + errors.bytes.length;) {
    seen = output.bytes.length + errors.bytes.length;
    if (WaitForMultipleObjects(2, threads, TRUE, 50) == WAIT_OBJECT_0) break;
  }
  EnterCriticalSection(&output.lock);
  EnterCriticalSection(&errors.lock);
  deliver("anyhook", code > 255 ? 255 : (int)code, output.bytes.data, output.bytes.length, errors.bytes.data, errors.bytes.length);
}

static void read_variables(void) {
  wchar_t *block = GetEnvironmentStringsW();
  size_t count = 0;
  for (wchar_t *at = block; *at != 0; at += wcslen(at) + 1) count++;
  variables = allocate((count + 1) * sizeof *variables);
  char **next = variables;
  /* Names that begin with "=" are the folders of drives. */
  for (wchar_t *at = block; *at != 0; at += wcslen(at) + 1)
    if (*at != L'=') *next++ = narrow(at);
}

int wmain(int argc, wchar_t **wide_argv) {
  static wchar_t own_file[32768];
  char **argv = allocate(((size_t)argc + 1) * sizeof *argv);
  for (int at = 0; at < argc; at++) argv[at] = narrow(wide_argv[at]);
  read_variables();
  InitializeCriticalSection(&input.lock);
  input.changed = CreateEventW(NULL, FALSE, FALSE, NULL);
  input.taken = CreateEventW(NULL, FALSE, FALSE, NULL);
  reading.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
  writing.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
  GetModuleFileNameW(NULL, own_file, sizeof own_file / sizeof *own_file);
  wchar_t *slash = wcsrchr(own_file, L'\\');
  if (slash != NULL) *slash = 0;
  LOCK_FOLDER = narrow(own_file);
  CreateThread(NULL, 0, read_input, NULL, 0, NULL);
  return run_client(argc, argv, LOCK_FOLDER);
}
