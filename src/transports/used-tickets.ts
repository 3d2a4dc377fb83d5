/** What has become of upload links. Forgets a link when it has expired anyway. */
export interface UsedTickets {
  /** How many of the link's idempotency keys are dead; undefined while an upload through it is running. */
  begin(id: string, expiresAt: number): number | undefined;
  /** Without a document the link can be used again. */
  end(id: string, outcome: UploadEnd): void;
  documentOf(id: string): string | undefined;
}

export interface UploadEnd {
  readonly documentId?: string | undefined;
  /** The upstream replayed an old failure for the key, and always will. */
  readonly keyIsDead?: boolean;
}

/**
 * A bound for the worst case. Forgetting one too early does no harm: the upload's idempotency key makes a replay the
 * same document.
 */
const maxRemembered = 10_000;

interface Entry {
  readonly expiresAt: number;
  isRunning: boolean;
  deadKeys: number;
  documentId?: string;
}

export function createUsedTickets(now: () => number = Date.now): UsedTickets {
  const tickets = new Map<string, Entry>();

  function forget(): void {
    for (const [id, { expiresAt, isRunning }] of tickets) {
      if (!isRunning && (expiresAt <= now() || tickets.size > maxRemembered)) tickets.delete(id);
    }
  }

  return {
    begin(id, expiresAt) {
      const known = tickets.get(id);
      if (known?.isRunning || known?.documentId !== undefined) return undefined;
      const entry = known ?? { expiresAt, isRunning: true, deadKeys: 0 };
      entry.isRunning = true;
      forget();
      tickets.set(id, entry);
      return entry.deadKeys;
    },
    end(id, { documentId, keyIsDead = false }) {
      const entry = tickets.get(id);
      if (entry === undefined) return;
      entry.isRunning = false;
      if (keyIsDead) entry.deadKeys += 1;
      if (documentId !== undefined) entry.documentId = documentId;
      else if (entry.deadKeys === 0) tickets.delete(id);
    },
    documentOf: (id) => tickets.get(id)?.documentId,
  };
}
