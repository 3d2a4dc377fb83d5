import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGate, type Slot } from '../../src/transports/concurrency.ts';

const never = new AbortController().signal;

describe('the gate', () => {
  it('never lets in more than fit, in total and per caller, and forgets everybody in the end', async () => {
    const step = fc.record({
      caller: fc.constantFrom('a', 'b', 'c'),
      calls: fc.integer({ min: 1, max: 3 }),
      leaves: fc.integer({ min: 0, max: 4 }),
      gone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const limits = { total: 5, perCaller: 3 };
        const gate = createGate(limits);
        const inside: { caller: string; calls: number; slot: Slot }[] = [];
        const waiting: Promise<void>[] = [];
        const leave = () => inside.shift()?.slot.leave();
        for (const { caller, calls, leaves, gone } of steps) {
          const left = new AbortController();
          waiting.push(
            gate.enter(caller, { signal: left.signal, waitMs: 1_000, calls }).then((slot) => {
              if (slot.busy === undefined) inside.push({ caller, calls, slot });
            }),
          );
          await Promise.resolve();
          if (gone) left.abort();
          for (let count = 0; count < leaves; count += 1) leave();
          await Promise.resolve();
          const running = (who?: string) =>
            inside
              .filter((each) => who === undefined || each.caller === who)
              .reduce((sum, each) => sum + each.calls, 0);
          expect(running()).toBeLessThanOrEqual(limits.total);
          for (const who of ['a', 'b', 'c']) expect(running(who)).toBeLessThanOrEqual(limits.perCaller);
          expect(gate.queued).toBeLessThanOrEqual(limits.total * 2);
        }
        for (let rounds = 0; rounds < steps.length + 1; rounds += 1) {
          leave();
          await Promise.resolve();
          await Promise.resolve();
        }
        await Promise.all(waiting);
        while (inside.length > 0) leave();
        expect([gate.inFlight, gate.queued]).toEqual([0, 0]);
      }),
      { numRuns: 200 },
    );
  });

  it('gives up waiting after the time it was given, and says on whose account', async () => {
    const gate = createGate({ total: 2, perCaller: 1 });
    const [first] = [await gate.enter('a', { signal: never, waitMs: 0 })];
    expect(await gate.enter('a', { signal: never, waitMs: 20 })).toEqual({ busy: 'caller' });
    await gate.enter('b', { signal: never, waitMs: 0 });
    expect(await gate.enter('c', { signal: never, waitMs: 20 })).toEqual({ busy: 'server' });
    first?.leave?.();
    first?.leave?.();
    expect(gate.inFlight).toBe(1);
    expect(await gate.enter('c', { signal: never, waitMs: 0 })).toHaveProperty('leave');
  });

  it('lets the others pass a caller whose own room is full', async () => {
    const gate = createGate({ total: 2, perCaller: 1 });
    const a = await gate.enter('a', { signal: never, waitMs: 0 });
    const b = await gate.enter('b', { signal: never, waitMs: 0 });
    const order: string[] = [];
    const again = gate.enter('a', { signal: never, waitMs: 2_000 }).then(() => order.push('a'));
    const other = gate.enter('c', { signal: never, waitMs: 2_000 }).then(() => order.push('c'));
    b.leave?.();
    await other;
    a.leave?.();
    await again;
    expect(order).toEqual(['c', 'a']);
  });

  it('does not keep a place for a client that has gone', async () => {
    const gate = createGate({ total: 1, perCaller: 1 });
    await gate.enter('a', { signal: never, waitMs: 0 });
    const left = new AbortController();
    const waiting = gate.enter('b', { signal: left.signal, waitMs: 10_000 });
    await sleep(5);
    left.abort();
    expect(await waiting).toEqual({ busy: 'gone' });
    expect(gate.queued).toBe(0);
  });
});
