import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { errorCode } from '../store/errors.ts';
import type { IndexingJob, IndexingOutcome } from './job.ts';

/** What one document may take. */
export interface IndexingLimits {
  /** Wall clock in milliseconds: a fixed part, and more for each MiB of the file, up to a cap. */
  readonly baseMs: number;
  readonly perMebibyteMs: number;
  readonly maxMs: number;
  /** JavaScript heap of the worker. */
  readonly heapMb: number;
  /** Growth of the whole process while the document is indexed: buffers live outside the heap. */
  readonly growthMb: number;
}

export const DEFAULT_LIMITS: IndexingLimits = {
  baseMs: 20_000,
  perMebibyteMs: 8_000,
  maxMs: 120_000,
  heapMb: 512,
  growthMb: 1024,
};

const WATCH_MS = 100;
const IDLE_MS = 30_000;

export interface WorkerThread {
  /** One job at a time. Never rejects: a worker that dies or outgrows its limits is an outcome. */
  run(job: IndexingJob, byteSize: number): Promise<IndexingOutcome>;
  close(): Promise<void>;
}

/** A worker thread that is started when needed, stopped when idle, and replaced when it had to be stopped. */
export function createWorkerThread(limits: IndexingLimits): WorkerThread {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function start(): Worker {
    const started = new Worker(workerFile(), {
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
      // What a parser prints must not reach this process's output.
      stdout: true,
      stderr: true,
    });
    started.stdout.resume();
    started.stderr.resume();
    // Without a listener, the error of a worker that is being stopped would end the process.
    started.on('error', () => undefined);
    // Work that is not finished is taken up again by the next process: it need not keep this one alive.
    started.unref();
    return started;
  }

  async function stop(): Promise<void> {
    const stopped = worker;
    worker = undefined;
    await stopped?.terminate();
  }

  async function run(job: IndexingJob, byteSize: number): Promise<IndexingOutcome> {
    clearTimeout(idle);
    worker ??= start();
    const current = worker;
    const outcome = await settle(current, job, deadlineFor(byteSize, limits), limits.growthMb);
    if (outcome.spent) await stop();
    else idle = setTimeout(() => void stop(), IDLE_MS).unref();
    return closed ? { code: 'crashed', message: 'the engine was closed' } : outcome.result;
  }

  return {
    run,
    async close() {
      closed = true;
      clearTimeout(idle);
      await stop();
    },
  };
}

const TOO_LARGE: IndexingOutcome = {
  code: 'too_large',
  message: 'the file needs too much memory to be read',
};
const CRASHED: IndexingOutcome = { code: 'crashed', message: 'reading the file stopped unexpectedly' };

interface Settled {
  readonly result: IndexingOutcome;
  /** The worker cannot be used again. */
  readonly spent: boolean;
}

function settle(worker: Worker, job: IndexingJob, deadlineMs: number, growthMb: number): Promise<Settled> {
  return new Promise((resolve) => {
    const before = process.memoryUsage.rss();
    const end = (result: IndexingOutcome, spent: boolean) => {
      clearTimeout(deadline);
      clearInterval(watch);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve({ result, spent });
    };
    const onMessage = (outcome: IndexingOutcome) => end(outcome, false);
    const onError = (error: unknown) => {
      end(errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_LARGE : CRASHED, true);
    };
    const onExit = () => end(CRASHED, true);
    const deadline = setTimeout(() => {
      const seconds = Math.round(deadlineMs / 1000);
      end({ code: 'too_slow', message: `the file could not be read within ${seconds} s` }, true);
    }, deadlineMs).unref();
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > growthMb * 2 ** 20) end(TOO_LARGE, true);
    }, WATCH_MS).unref();
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(job);
  });
}

function deadlineFor(byteSize: number, limits: IndexingLimits): number {
  return Math.min(limits.maxMs, limits.baseMs + (byteSize / 2 ** 20) * limits.perMebibyteMs);
}

/** The built worker: beside the bundle, or in the workspace's `dist` when the engine runs from source. */
function workerFile(): string {
  const places = ['./local-worker.js', '../local-worker.js', '../../../../dist/local-worker.js'];
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  if (!found) throw new Error('local-worker.js is missing: build the package first');
  return found;
}
