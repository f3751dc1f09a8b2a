/**
 * The client in JavaScript, for platforms without a compiled one. It behaves like client.c, and
 * docs/reference/protocol.md describes what both do. Everything is in one file because `anyhook install` copies it.
 */
'use strict';
// A package.json with "type": "module" above the installed file, such as one in the home folder, makes it an ES module without
// `require`. Older versions of Node run it as CommonJS.
if (typeof require === 'undefined') Object.assign(globalThis, { require: process.getBuiltinModule });
const fs = require('node:fs');
const net = require('node:net');

const [HELLO, READY, RETIRED, REQUEST, WORKING, ANSWER, FAILED] = [1, 2, 3, 4, 5, 6, 7];
const PROTOCOL_VERSION = 1;
const MAX_PAYLOAD = 64 * 1024 * 1024;
const MAX_FRAME = 72 * 1024 * 1024;
const READY_WITHIN_MS = 5_000;
const SILENCE_MS = 10_000;
const RETRY_MS = 5;
const PIECE = 1024 * 1024;
const LOCK_MS = 20_000;
/** A failure is printed even when the deadline has passed, but nobody waits long for it. */
const FAREWELL_MS = 1_000;
const IS_WINDOWS = process.platform === 'win32';
/** The longest path that fits into the address of a Unix domain socket. */
const MAX_SOCKET_PATH = process.platform === 'darwin' ? 103 : 107;

const KEPT_FOR_DAEMON = new Set(
  'HOME USER LOGNAME PATH LANG TMPDIR XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME'.split(' '),
);
if (IS_WINDOWS)
  for (const name of ['SYSTEMROOT', 'USERPROFILE', 'LOCALAPPDATA', 'APPDATA', 'TEMP'])
    KEPT_FOR_DAEMON.add(name);
/** Variables that make Node or the loader run other code. The header of the installed file moves them, too. */
const REDIRECTS_CODE = [
  'NODE_OPTIONS',
  'NODE_PATH',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'DYLD_INSERT_LIBRARIES',
];
const MOVED = 'ANYHOOK_CALLER_';

const given = process.argv.slice(2);
const file = process.argv[1] ?? '';
const folder = file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'))) || '/';
/** The environment as the agent gave it to the client. @type {Record<string, string | undefined>} */
const variables = {};
for (const [name, value] of Object.entries(process.env))
  variables[name.startsWith(MOVED) ? name.slice(MOVED.length) : name] = value;

/** @type {'refuse' | 'refuse-json' | 'pass' | 'pass-quiet'} */
let onFailure = 'pass';
let deadlineAfterMs = 590_000;
/** Set once hooks may have been called for this event. */
let handedOver = false;
let isEnding = false;
/** What to do about a failure. */
let nextStep = 'Run: anyhook doctor';
/** @type {Partial<Record<string, string>>} */
let conf = {};

/** Milliseconds since this process started. */
const nowMs = () => performance.now();

// Waiting: everything that happens calls `wake`, and whoever waits looks at what there is.

let wake = () => {};
/** @param {number} untilMs */
const change = (untilMs) =>
  new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
    // A timer takes at most 2^31 ms.
    const timer = setTimeout(resolve, Math.min(Math.max(0, untilMs - nowMs()), 60_000));
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });

const input = { chunks: /** @type {Buffer[]} */ ([]), length: 0, hasEnded: false, problem: '' };
/** @type {net.Socket | undefined} */
let connection;
const received = { chunks: /** @type {Buffer[]} */ ([]), length: 0, needed: 4 };
let isClosed = false;
let movedMs = 0;

// Failures

/** @param {string} reason @returns {Promise<never>} */
async function fail(reason) {
  if (isEnding) return never();
  isEnding = true;
  const refuses = onFailure === 'refuse' || onFailure === 'refuse-json';
  const start = refuses
    ? 'anyhook refused this call because'
    : handedOver
      ? 'anyhook: the answer of the hooks is missing because'
      : 'anyhook: no hook was called because';
  const next = conf['managed'] === undefined ? nextStep : 'Ask your administrator';
  // oxlint-disable-next-line no-control-regex -- a line break in a reason would break the line
  const line = `${start} ${reason}. ${next}`.replaceAll(/[\0-\x1f\x7f]/g, ' ');
  const untilMs = nowMs() + FAREWELL_MS;
  if (onFailure === 'refuse-json') {
    const refusal = {
      decision: 'deny',
      reason: line,
      permissionDecision: 'deny',
      permissionDecisionReason: line,
    };
    if (await print(1, Buffer.from(`${JSON.stringify(refusal)}\n`), untilMs)) process.exit(0);
  }
  await print(2, Buffer.from(`${line}\n`), untilMs);
  process.exit(refuses ? 2 : onFailure === 'pass' ? 1 : 0);
}
/** @returns {Promise<never>} */
const never = () => new Promise(() => {});

/** @param {number} code @param {Buffer} out @param {Buffer} err @returns {Promise<never>} */
async function deliver(code, out, err) {
  const isAnswer = code === 0 || code === 2;
  const isLost = isAnswer && !(await print(1, out, deadlineAfterMs));
  await print(2, err, deadlineAfterMs);
  if (!isAnswer) return fail(`anyhook ended with exit code ${code}`);
  if (isLost) return fail('the answer could not be written to standard output');
  process.exit(code);
}

/**
 * Resolves to false if the bytes cannot be written before the time.
 * @param {1 | 2} fd @param {Buffer} data @param {number} untilMs @returns {Promise<boolean>}
 */
async function print(fd, data, untilMs) {
  if (data.length === 0) return true;
  try {
    const stat = IS_WINDOWS ? undefined : fs.fstatSync(fd);
    if (stat !== undefined && !stat.isFIFO() && !stat.isSocket()) {
      for (let at = 0; at < data.length;) at += writeSome(fd, data, at, untilMs);
      return true;
    }
  } catch {
    return false; // closed, or a full disk
  }
  // Not a blocking write: a reader that stops reading must not stop the clock.
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, untilMs - nowMs()), false);
    const stream = IS_WINDOWS ? standardOutput(fd) : new net.Socket({ fd, readable: false, writable: true });
    stream.on('error', () => resolve(false));
    stream.write(data, (error) => {
      clearTimeout(timer);
      resolve(error === undefined || error === null);
    });
  });
}

/** On Windows Node does not tell a pipe from a file, except to these. @param {1 | 2} fd */
const standardOutput = (fd) => (fd === 1 ? process.stdout : process.stderr);

/** @param {number} fd @param {Buffer} data @param {number} at @param {number} untilMs */
function writeSome(fd, data, at, untilMs) {
  try {
    return fs.writeSync(fd, data, at);
  } catch (error) {
    // A terminal that another program has made non-blocking.
    if (codeOf(error) !== 'EAGAIN' || nowMs() > untilMs) throw error;
    return 0;
  }
}

/** @param {unknown} error */
const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;
/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

// Files

/** @returns {Partial<Record<string, string>>} */
function readConf() {
  try {
    const lines = fs.readFileSync(`${folder}/anyhook-client.conf`, 'utf8').split(/[\r\n]+/);
    return Object.fromEntries(
      lines.flatMap((line) =>
        line.includes('=') ? [[line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]] : [],
      ),
    );
  } catch {
    return {}; // the program is looked for on the PATH
  }
}

/** @param {string} path @param {number} mode */
function isUsable(path, mode) {
  try {
    fs.accessSync(path, mode);
    return fs.statSync(path).isFile();
  } catch {
    return false; // missing, or not ours to use
  }
}

/** Relative folders of PATH are skipped: they lead into whatever project the agent works in. @param {string} name */
const findOnPath = (name) =>
  (variables['PATH'] ?? variables['Path'] ?? '')
    .split(IS_WINDOWS ? ';' : ':')
    .filter((entry) => (IS_WINDOWS ? /^[a-z]:[\\/]/i : /^\//).test(entry))
    .map((entry) => `${entry}/${name}`)
    .find((path) => isUsable(path, fs.constants.X_OK));

async function findNode() {
  const name = IS_WINDOWS ? 'node.exe' : 'node';
  if (conf['node'] !== undefined && isUsable(conf['node'], fs.constants.X_OK)) return conf['node'];
  // Root's client starts nothing that a user could put on the PATH.
  if (conf['managed'] !== undefined) return fail(`${conf['node'] ?? name} is missing`);
  return findOnPath(name) ?? fail(`${conf['node'] ?? name} is missing and there is no node on the PATH`);
}

async function findProgram() {
  if (conf['program'] !== undefined && isUsable(conf['program'], fs.constants.R_OK)) return conf['program'];
  if (conf['managed'] !== undefined) return fail(`${conf['program'] ?? 'anyhook'} is missing`);
  const found = findOnPath('anyhook');
  if (found !== undefined) return found;
  nextStep = 'Run: npm install -g anyhook';
  return fail(`${conf['program'] ?? 'anyhook'} is missing and there is no anyhook on the PATH`);
}

function readInput() {
  /** @param {Buffer} chunk */
  const take = (chunk) => {
    input.chunks.push(chunk);
    input.length += chunk.length;
    if (input.length > MAX_PAYLOAD) input.problem = 'the event is larger than 64 MiB';
    wake();
  };
  const end = () => {
    input.hasEnded = true;
    wake();
  };
  /** @param {unknown} error */
  const stop = (error) => {
    input.problem = `standard input cannot be read: ${messageOf(error)}`;
    wake();
  };
  try {
    const stat = IS_WINDOWS ? undefined : fs.fstatSync(0);
    if (stat?.isFile()) {
      for (let chunk = readSome(); chunk.length > 0 && input.problem === ''; chunk = readSome()) take(chunk);
      end();
    } else if (stat?.isDirectory()) {
      stop('it is a folder');
    } else {
      const stream =
        stat?.isFIFO() || stat?.isSocket()
          ? new net.Socket({ fd: 0, readable: true, writable: false })
          : process.stdin;
      // A writer that dies has ended its input, too.
      stream
        .on('data', take)
        .on('end', end)
        .on('error', (error) => (codeOf(error) === 'ECONNRESET' ? end() : stop(error)));
    }
  } catch (error) {
    stop(error);
  }
}
function readSome() {
  const chunk = Buffer.allocUnsafe(PIECE);
  return chunk.subarray(0, fs.readSync(0, chunk));
}

// Frames

/** @param {string | Buffer} value */
function string(value) {
  const bytes = Buffer.from(value);
  return [integer(bytes.length), bytes];
}
/** @param {readonly string[]} values */
const list = (values) => [integer(values.length), ...values.flatMap(string)];
/** @param {number} value @param {number} [size] */
function integer(value, size = 4) {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}
/** @param {number} type @param {readonly Buffer[]} body */
const frame = (type, body) => {
  const length = body.reduce((sum, { length }) => sum + length, 1);
  return Buffer.concat([integer(length), integer(type, 1), ...body]);
};

/** The strings that make up a body; undefined if it does not end where the last one ends. @param {Buffer} body @param {number} count */
function stringsIn(body, count) {
  const strings = [];
  let at = 0;
  for (; strings.length < count; at += 4 + (strings.at(-1)?.length ?? 0)) {
    if (body.length - at < 4 || body.readUInt32BE(at) > body.length - at - 4) return;
    strings.push(body.subarray(at + 4, at + 4 + body.readUInt32BE(at)));
  }
  return at === body.length ? strings : undefined;
}

/** Takes the next complete frame off what was received. @returns {{ type: number, body: Buffer } | 'none' | 'bad'} */
function nextFrame() {
  if (received.length < received.needed) return 'none';
  const bytes = Buffer.concat(received.chunks);
  const length = bytes.readUInt32BE(0);
  received.chunks = [bytes];
  if (length < 1 || length > MAX_FRAME) return 'bad';
  received.needed = 4 + length;
  if (bytes.length < received.needed) return 'none';
  received.chunks = [bytes.subarray(received.needed)];
  received.length -= received.needed;
  received.needed = 4;
  return { type: bytes.readUInt8(4), body: bytes.subarray(5, 4 + length) };
}

// The daemon

/** @param {string} path */
function isPrivateFolder(path) {
  if (fs.lstatSync(path, { throwIfNoEntry: false }) === undefined)
    fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = fs.lstatSync(path);
  return stat.isDirectory() && stat.uid === process.geteuid?.() && (stat.mode & 0o7777) === 0o700;
}

/** @returns {Promise<'connected' | 'no-daemon' | 'busy' | 'unusable'>} */
async function connectToDaemon() {
  const path = conf['socket'] ?? '';
  if (connection !== undefined) return 'connected';
  if (!IS_WINDOWS) {
    if (Buffer.byteLength(path) > MAX_SOCKET_PATH || path.lastIndexOf('/') < 1 || !path.startsWith('/'))
      return 'unusable';
    try {
      if (!isPrivateFolder(path.slice(0, path.lastIndexOf('/')))) return 'unusable';
      const stat = fs.lstatSync(path, { throwIfNoEntry: false });
      if (stat === undefined) return 'no-daemon';
      if (!stat.isSocket() || stat.uid !== process.geteuid?.()) return 'unusable';
    } catch {
      return 'unusable'; // not ours to look at, or a disk that takes no folder
    }
  }
  return new Promise((resolve) => {
    const socket = net.connect({ path });
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      connection = listenTo(socket);
      resolve('connected');
    });
    socket.once('error', (error) => {
      const code = codeOf(error) ?? '';
      if (['ECONNREFUSED', 'ENOENT'].includes(code)) resolve('no-daemon');
      else resolve(['EAGAIN', 'EBUSY'].includes(code) ? 'busy' : 'unusable');
    });
  });
}

/** @param {net.Socket} socket */
function listenTo(socket) {
  Object.assign(received, { chunks: [], length: 0, needed: 4 });
  isClosed = false;
  const isCurrent = () => connection === socket;
  const close = () => {
    if (!isCurrent()) return;
    isClosed = true;
    wake();
  };
  return (
    socket
      .on('data', (chunk) => {
        if (!isCurrent()) return;
        received.chunks.push(chunk);
        received.length += chunk.length;
        movedMs = nowMs();
        wake();
      })
      .on('end', close)
      .on('close', close)
      // The daemon may have said why before it closed the connection: what it sent is still read.
      .on('error', () => {})
  );
}

function closeConnection() {
  connection?.destroy();
  connection = undefined;
  hasStarted = false;
}

/** What became of the daemon that this client started. @type {'none' | 'running' | 'failed' | 'ended'} */
let daemon = 'none';
/** This client has started a daemon since its last connection: it does not start a second one. */
let hasStarted = false;
/** The lock of this client, to know it again. @type {{ name: string, ino: bigint, mtimeNs: bigint } | undefined} */
let ownLock;

/** Every 20 seconds the lock has a new name, so a lock that was left behind needs no removal. @param {number} period */
function lockName(period) {
  const path = conf['socket'] ?? '';
  const beside = IS_WINDOWS ? folder : path.slice(0, path.lastIndexOf('/'));
  return `${conf['starting'] ?? `${beside}/starting`}.${period}`;
}
const currentPeriod = () => Math.floor(Date.now() / LOCK_MS);
/** @param {string} path */
const isThere = (path) => fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** @returns {'taken' | 'busy' | 'impossible'} */
function takeLock() {
  const period = currentPeriod();
  const [name, earlier] = [lockName(period), lockName(period - 1)];
  try {
    if (isThere(earlier)) return 'busy';
    const fd = fs.openSync(name, 'wx', 0o600);
    const { ino, mtimeNs } = fs.fstatSync(fd, { bigint: true });
    ownLock = { name, ino, mtimeNs };
    fs.closeSync(fd);
    // Only now it is certain that the lock was made within its period, and that no client of the period before has one.
    if (currentPeriod() === period && !isThere(earlier)) return 'taken';
    releaseLock();
    return 'busy';
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? 'busy' : 'impossible';
  }
}

function releaseLock() {
  if (ownLock === undefined) return;
  const found = fs.lstatSync(ownLock.name, { bigint: true, throwIfNoEntry: false });
  if (found?.ino === ownLock.ino && found.mtimeNs === ownLock.mtimeNs)
    fs.rmSync(ownLock.name, { force: true });
}

/** Resolves to false if no daemon can be expected. */
async function startDaemon() {
  if (daemon === 'failed' || daemon === 'ended') {
    releaseLock();
    const hasFailed = daemon === 'failed';
    daemon = 'none';
    return !hasFailed;
  }
  if (hasStarted) return true;
  const [node, program] = [await findNode(), await findProgram()];
  const lock = takeLock();
  if (lock !== 'taken') return lock === 'busy';
  // A daemon may have begun to listen between the failed connect and the lock.
  if ((await connectToDaemon()) !== 'no-daemon') {
    releaseLock();
    return true;
  }
  const env = Object.fromEntries(
    Object.entries(variables).filter(([name]) => KEPT_FOR_DAEMON.has(IS_WINDOWS ? name.toUpperCase() : name)),
  );
  hasStarted = true;
  daemon = 'running';
  require('node:child_process')
    .spawn(node, [program, 'daemon', 'run'], {
      cwd: '/',
      detached: true,
      stdio: 'ignore',
      env,
      windowsHide: true,
    })
    .on('error', () => (daemon = 'failed'))
    .on('exit', (code) => (daemon = code === 0 ? 'ended' : 'failed'));
  return true;
}

// The two halves of a conversation

/** @param {number} untilMs */
async function waitForChange(untilMs) {
  if (input.problem === '') await change(Math.min(untilMs, deadlineAfterMs));
  if (input.problem !== '') return fail(input.problem);
  if (nowMs() >= deadlineAfterMs) return fail(`there was no answer within ${deadlineAfterMs} ms`);
}

/** @typedef {'accepted' | 'try-again' | 'run-directly' | 'unresponsive'} Attempt */

/** @param {number} untilMs @returns {Promise<Attempt>} */
async function connectOrStart(untilMs) {
  for (;;) {
    const connected = await connectToDaemon();
    if (connected === 'connected') return 'accepted';
    if (connected === 'unusable' || (connected === 'no-daemon' && !(await startDaemon())))
      return 'run-directly';
    if (nowMs() >= untilMs) return connected === 'busy' ? 'unresponsive' : 'run-directly';
    await waitForChange(nowMs() + RETRY_MS);
  }
}

/** Until the request is sent, the client may give up at any point. @returns {Promise<Attempt>} */
async function offer() {
  const untilMs = nowMs() + READY_WITHIN_MS;
  const attempt = await connectOrStart(untilMs);
  if (attempt !== 'accepted') return attempt;
  connection?.write(frame(HELLO, [integer(PROTOCOL_VERSION, 2), ...string(await findProgram())]));
  for (let isReady = false; ;) {
    const next = nextFrame();
    if (next === 'bad') return 'run-directly';
    if (next !== 'none') {
      if (isReady) return 'run-directly';
      if (next.type === RETIRED && stringsIn(next.body, 1) !== undefined) return 'try-again';
      if (next.type !== READY || next.body.length > 0) return 'run-directly';
      isReady = true;
    } else if (isClosed) return 'try-again';
    else if (isReady && input.hasEnded) return 'accepted';
    else if (!isReady && nowMs() >= untilMs) return 'unresponsive';
    else await waitForChange(isReady ? Infinity : untilMs);
  }
}

async function requestFrame() {
  let cwd = '';
  try {
    cwd = process.cwd();
  } catch (error) {
    return fail(`the working directory cannot be read: ${messageOf(error)}`);
  }
  const env = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const stdin = [integer(input.length), ...input.chunks];
  const request = frame(REQUEST, [
    ...list(given),
    ...string(cwd),
    ...list(env),
    integer(process.ppid),
    integer(Math.max(0, Math.round(deadlineAfterMs - nowMs()))),
    ...stdin,
  ]);
  return request.length > 4 + MAX_FRAME
    ? fail('the event and its environment are larger than 72 MiB')
    : request;
}

/** From the first byte of the request on, the event belongs to the daemon. */
async function handOver() {
  const request = await requestFrame();
  let isSent = false;
  let unsent = 0;
  handedOver = true;
  movedMs = nowMs();
  // In pieces, so that progress can be seen.
  for (let at = 0; at < request.length; at += PIECE) connection?.write(request.subarray(at, at + PIECE));
  connection?.write('', () => (isSent = true));
  for (;;) {
    const next = nextFrame();
    if (next === 'none') {
      if (unsent !== connection?.writableLength) movedMs = nowMs();
      unsent = connection?.writableLength ?? 0;
      if (isClosed) return fail('the daemon stopped before it answered');
      if (nowMs() >= movedMs + SILENCE_MS) return fail('the daemon was silent for 10 seconds');
      await waitForChange(movedMs + SILENCE_MS);
      continue;
    }
    if (next !== 'bad' && next.type === ANSWER && isSent) {
      const [out, err] = stringsIn(next.body.subarray(1), 2) ?? [];
      if (out !== undefined && err !== undefined) return deliver(next.body.readUInt8(0), out, err);
    }
    if (next !== 'bad' && next.type === FAILED) {
      const [reason] = stringsIn(next.body, 1) ?? [];
      if (reason !== undefined) return fail(reason.toString('utf8', 0, 1024));
    }
    if (next === 'bad' || next.type !== WORKING || next.body.length > 0)
      return fail('the daemon sent an invalid answer');
  }
}

/** @param {readonly string[]} extra */
async function runDirectly(extra) {
  closeConnection();
  const [node, program] = [await findNode(), await findProgram()];
  /** @type {NodeJS.ProcessEnv} */
  const env = {};
  for (const [name, value] of Object.entries(variables))
    env[REDIRECTS_CODE.includes(name) ? MOVED + name : name] = value;
  const child = require('node:child_process').spawn(node, [program, 'bridge', ...given, ...extra], {
    env,
    windowsHide: true,
  });
  handedOver = true;
  /** @type {[Buffer[], Buffer[]]} */
  const output = [[], []];
  const sizes = [0, 0];
  /** @type {{ code: number | null, signal: string | null } | undefined} */
  let end;
  let hasClosed = false;
  let problem = '';
  const streams = [child.stdout, child.stderr];
  for (const [at, stream] of streams.entries())
    stream.on('data', (chunk) => {
      output[at]?.push(chunk);
      sizes[at] = (sizes[at] ?? 0) + chunk.length;
      wake();
    });
  child.stdin.on('error', () => {}); // a program that does not read its input
  child.on('error', (error) => ((problem = `no process can be started: ${error.message}`), wake()));
  child.on('exit', (code, signal) => ((end = { code, signal }), wake()));
  child.on('close', () => ((hasClosed = true), wake()));
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
    process.once(signal, () => {
      child.kill(signal);
      process.kill(process.pid, signal);
    });

  let passed = 0;
  let quietSince = nowMs();
  let size = 0;
  while (!hasClosed && problem === '') {
    for (; passed < input.chunks.length; passed++) child.stdin.write(input.chunks[passed]);
    if (input.hasEnded && !child.stdin.writableEnded) child.stdin.end();
    if (size !== (sizes[0] ?? 0) + (sizes[1] ?? 0)) quietSince = nowMs();
    size = (sizes[0] ?? 0) + (sizes[1] ?? 0);
    // A background process may keep the pipes open after the program: its end counts.
    if (end !== undefined && nowMs() - quietSince >= 20) break;
    await change(Math.min(deadlineAfterMs, end === undefined ? Infinity : nowMs() + 20));
    if (end === undefined && input.problem !== '') problem = input.problem;
    else if (Math.max(...sizes) > MAX_PAYLOAD) problem = 'anyhook printed more than 64 MiB';
    else if (nowMs() >= deadlineAfterMs) problem = 'anyhook did not end before the deadline';
  }
  if (problem !== '') {
    child.kill('SIGKILL');
    return fail(problem);
  }
  const [out, err] = [Buffer.concat(output[0]), Buffer.concat(output[1])];
  if (end !== undefined && end.code !== null) return deliver(end.code, out, err);
  await print(2, err, deadlineAfterMs);
  return fail(
    `anyhook was ended by signal ${require('node:os').constants.signals[/** @type {'SIGKILL'} */ (end?.signal)]}`,
  );
}

async function readArguments() {
  /** @type {Partial<Record<string, string>>} */
  const options = {};
  for (let at = 0; at < given.length; at++) {
    const name = given[at] ?? '';
    if (name === '--on-failure' || name === '--deadline-ms') options[name] = given[++at] ?? '';
  }
  const mode = options['--on-failure'];
  if (mode === 'refuse' || mode === 'refuse-json' || mode === 'pass' || mode === 'pass-quiet')
    onFailure = mode;
  else if (mode !== undefined) {
    onFailure = 'refuse';
    return fail(`--on-failure does not know "${mode}"`);
  }
  const deadline = options['--deadline-ms'];
  if (deadline === undefined) return;
  if (!/^\d+$/.test(deadline) || Number(deadline) < 1 || Number(deadline) > 2_147_483_647)
    return fail(`--deadline-ms is "${deadline}" and not a number of milliseconds`);
  deadlineAfterMs = Number(deadline);
}

async function main() {
  await readArguments();
  conf = readConf();
  readInput();
  /** @type {Attempt} */
  let attempt = conf['socket'] === undefined ? 'run-directly' : await offer();
  if (attempt === 'try-again') {
    closeConnection();
    attempt = await offer();
  }
  if (attempt === 'accepted') return handOver();
  return runDirectly(attempt === 'unresponsive' ? ['--daemon', 'unresponsive'] : []);
}

process.on('uncaughtException', (error) => void fail(`the client failed: ${messageOf(error)}`));
void main();
