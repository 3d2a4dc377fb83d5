/** Ends a service when the process is told to: lets it finish on the first signal, exits at once on a second SIGINT. */
export function closeOnSignals(close: () => Promise<void>, exit: (code: number) => void): void {
  let closing = false;
  const finish = () => {
    if (closing) return;
    closing = true;
    close().then(
      () => exit(0),
      () => exit(1),
    );
  };
  process.on('SIGTERM', finish);
  process.on('SIGINT', () => {
    // 128 + 2: what a shell reports for a process that SIGINT ended.
    if (closing) exit(130);
    else finish();
  });
}
