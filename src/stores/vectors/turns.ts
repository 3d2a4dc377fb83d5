/** Long work shares the event loop: one waiting piece goes on per turn of the loop, so that other callers are answered between. */

const waiting: (() => void)[] = [];

export function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}
