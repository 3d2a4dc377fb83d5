import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSealer, readSecrets } from '../../src/transports/tickets.ts';
import { createUsedTickets } from '../../src/transports/used-tickets.ts';

const [one, two] = [randomBytes(32), randomBytes(32)];

describe('sealing', () => {
  it('opens what it sealed, never the same text twice', () => {
    const sealer = createSealer([one], 'upload ticket');
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const sealed = sealer.seal(value);
        expect(sealed).toMatch(/^[\w-]+$/);
        expect(sealed).not.toBe(sealer.seal(value));
        expect(sealer.open(sealed)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('shows nothing of what is inside', () => {
    const sealed = createSealer([one], 'upload ticket').seal({ key: 'vls_live_secret' });
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('vls_live');
  });

  it('refuses every change, and every other spelling', () => {
    const sealer = createSealer([one], 'upload ticket');
    const sealed = sealer.seal({ id: 'a', name: 'report.pdf' });
    const bytes = Buffer.from(sealed, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(sealer.open(changed.toString('base64url'))).toBeUndefined();
    }
    for (const other of [
      `${sealed}=`,
      `${sealed}A`,
      sealed.slice(0, -1),
      sealed.slice(1),
      `${sealed}!`,
      '',
      'abc',
    ]) {
      expect(sealer.open(other)).toBeUndefined();
    }
  });

  it('is for one secret and one purpose; an old secret still opens while it is being replaced', () => {
    const old = createSealer([one], 'upload ticket').seal('x');
    expect(createSealer([two], 'upload ticket').open(old)).toBeUndefined();
    expect(createSealer([one], 'something else').open(old)).toBeUndefined();
    const rotating = createSealer([two, one], 'upload ticket');
    expect(rotating.open(old)).toBe('x');
    expect(createSealer([one], 'upload ticket').open(rotating.seal('y'))).toBeUndefined();
  });
});

describe('VECTORLESS_SECRET', () => {
  it('is 32 bytes in either alphabet of base64, or random', () => {
    expect(readSecrets([one.toString('base64'), two.toString('base64url')])).toEqual([one, two]);
    expect(readSecrets([])[0]).not.toEqual(readSecrets([])[0]);
  });
  it.each([
    '',
    'short',
    one.toString('hex'),
    randomBytes(31).toString('base64'),
    `${one.toString('base64')}A`,
  ])('is not "%s"', (value) => {
    expect(() => readSecrets([value])).toThrow(/32 bytes/);
  });
});

describe('used links', () => {
  it('are remembered until they expire, one upload at a time', () => {
    let now = 0;
    const used = createUsedTickets(() => now);
    expect(used.begin('a', 100)).toBe(0);
    expect(used.begin('a', 100)).toBeUndefined();
    used.end('a', {});
    expect(used.begin('a', 100)).toBe(0);
    used.end('a', { documentId: 'doc_1' });
    expect(used.documentOf('a')).toBe('doc_1');
    now = 101;
    used.begin('b', 200);
    expect(used.documentOf('a')).toBeUndefined();
  });

  it('count the keys under which nothing can be stored any more', () => {
    const used = createUsedTickets(() => 0);
    for (const dead of [0, 1, 2]) {
      expect(used.begin('a', 100)).toBe(dead);
      used.end('a', { keyIsDead: true });
    }
    expect(used.documentOf('a')).toBeUndefined();
    used.begin('a', 100);
    used.end('a', { documentId: 'doc_1' });
    expect(used.documentOf('a')).toBe('doc_1');
  });

  it('never fill the memory', () => {
    const used = createUsedTickets(() => 0);
    for (let index = 0; index < 30_000; index += 1) {
      used.begin(`t${index}`, 1_000);
      used.end(`t${index}`, index % 2 === 0 ? { keyIsDead: true } : { documentId: 'doc' });
    }
    const remembered = Array.from({ length: 30_000 }, (_, index) => used.documentOf(`t${index}`)).filter(
      Boolean,
    );
    expect(remembered.length).toBeLessThanOrEqual(10_001);
    expect(used.documentOf('t29999')).toBe('doc');
  });
});
