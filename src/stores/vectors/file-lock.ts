import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, readdir, readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../make-folder.ts';
import { createQueue } from './queue.ts';
import { VectorRefusal } from './vector-stores.ts';

const heartbeatMs = 1000;
/** A lock that shows no sign of life for so long is nobody's, whatever its process id says: ids are used again. */
const silentMs = 6000;
const patienceMs = 15_000;

/** Marks of the locks that this process holds, to tell them from those of a former process with the same id. */
const held = new Set<string>();

/** Mutual exclusion between processes, and within this one, by a file that exists while the lock is held. */
export interface FileLock {
  /** @throws {VectorRefusal} when another process keeps the lock for too long. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createFileLock(path: string): FileLock {
  const inTurn = createQueue();
  return { run: (work) => inTurn(() => exclusively(path, work)) };
}

async function exclusively<T>(path: string, work: () => Promise<T>): Promise<T> {
  const mark = `${process.pid} ${hostname()} ${randomUUID()}`;
  held.add(mark);
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    await acquire(path, mark);
    heartbeat = setInterval(() => touch(path), heartbeatMs).unref();
    return await work();
  } finally {
    clearInterval(heartbeat);
    // It may be another's by now, if this process was stopped for long.
    if (heartbeat !== undefined && (await look(path))?.mark === mark) await remove(path);
    held.delete(mark);
  }
}

async function acquire(path: string, mark: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let seen = '';
  let seenSince = performance.now();
  for (;;) {
    const state = await look(path);
    if (state === undefined && (await create(path, mark))) return;
    if (performance.now() > deadline) {
      throw new VectorRefusal('Another process is writing to your vectors; nothing was changed, try again');
    }
    const sign = `${state?.mark} ${state?.touched}`;
    if (sign !== seen) [seen, seenSince] = [sign, performance.now()];
    const isAbandoned = state !== undefined && performance.now() - seenSince > silentMs;
    if (state !== undefined && (isAbandoned || isDead(state.mark))) await breakLock(path, state.mark);
    else await sleep(5 + Math.random() * 20);
  }
}

/**
 * A lock appears with its mark in it, by a link to a draft: a process killed between making the file and writing the mark
 * would leave a lock of which nobody could tell whose it was. Where the file system has no links, one call copies it.
 */
async function create(path: string, mark: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, mark, { flag: 'wx', mode: 0o600 });
    await link(draft, path).catch((error: unknown) => {
      if (isCode(error, 'EEXIST')) throw error;
      return copyFile(draft, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    // Windows answers EPERM while a file of that name is being deleted.
    if (isCode(error, 'EEXIST') || isCode(error, 'EPERM')) return false;
    if (!isCode(error, 'ENOENT')) throw error;
    makeFolder(dirname(path));
    return false;
  } finally {
    await remove(draft);
  }
}

async function look(path: string): Promise<{ mark: string; touched: number } | undefined> {
  try {
    return { mark: await readFile(path, 'utf8'), touched: (await stat(path)).mtimeMs };
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
}

/** True only when it is certain: the mark names a process of this machine that is gone. */
function isDead(mark: string): boolean {
  const [pid, host] = mark.split(' ');
  if (host !== hostname()) return false;
  if (Number(pid) === process.pid) return !held.has(mark);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return isCode(error, 'ESRCH');
  }
}

/**
 * Removes a dead lock. Whoever does so holds a second lock meanwhile and looks again: without that, one of two processes
 * that found the same dead lock could remove the other's fresh one.
 */
async function breakLock(path: string, mark: string): Promise<void> {
  const breaker = `${path}.break`;
  if (!(await create(breaker, ''))) {
    const state = await stat(breaker).catch(() => undefined);
    // Its holder died within these few lines.
    if (state !== undefined && Date.now() - state.mtimeMs > silentMs) await remove(breaker);
    return void (await sleep(5));
  }
  try {
    if ((await look(path))?.mark === mark) await remove(path);
    await removeDrafts(path);
  } finally {
    await remove(breaker);
  }
}

/** What processes left that were killed while they made a lock. */
async function removeDrafts(path: string): Promise<void> {
  const drafts = (await readdir(dirname(path))).filter((file) => file.startsWith(`${basename(path)}.`));
  for (const file of drafts) {
    const draft = join(dirname(path), file);
    const state = await stat(draft).catch(() => undefined);
    if (state !== undefined && Date.now() - state.mtimeMs > silentMs) await remove(draft);
  }
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}

function touch(path: string): void {
  const now = new Date();
  utimes(path, now, now).catch(() => undefined);
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
