/** Which upload links have done their work. Forgets a link when it has expired anyway. */
export interface UsedTickets {
  /** False while an upload through this link is running. */
  begin(id: string, expiresAt: number): boolean;
  /** Without a document the link can be used again. */
  end(id: string, documentId: string | undefined): void;
  documentOf(id: string): string | undefined;
}

/**
 * A bound for the worst case. Forgetting one too early does no harm: the upload's idempotency key makes a replay the
 * same document.
 */
const maxRemembered = 10_000;

export function createUsedTickets(now: () => number = Date.now): UsedTickets {
  const tickets = new Map<string, { readonly expiresAt: number; documentId?: string }>();

  function forget(): void {
    for (const [id, ticket] of tickets) {
      const isDone = ticket.documentId !== undefined;
      if (isDone && (ticket.expiresAt <= now() || tickets.size > maxRemembered)) tickets.delete(id);
    }
  }

  return {
    begin(id, expiresAt) {
      if (tickets.has(id)) return false;
      forget();
      tickets.set(id, { expiresAt });
      return true;
    },
    end(id, documentId) {
      const ticket = tickets.get(id);
      if (documentId === undefined) tickets.delete(id);
      else if (ticket !== undefined) ticket.documentId = documentId;
    },
    documentOf: (id) => tickets.get(id)?.documentId,
  };
}
