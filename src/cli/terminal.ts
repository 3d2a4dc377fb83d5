import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** What a command talks to: the terminal, or a test in its place. */
export interface Terminal {
  /** Gets whole lines, without their end. */
  print(line: string): void;
  /** Shows one line that the next one replaces; an empty one takes it away. Absent where nobody looks. */
  progress?(line: string): void;
  /** Absent where nobody is there to answer. `isSecret` shows nothing of what is typed. */
  ask?(question: string, isSecret?: boolean): Promise<string>;
}

/** What surrounds a command: nothing in it is read from the process, so that tests can put theirs in its place. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly cwd: string;
  /** The file that runs as this server. */
  readonly script: string;
}

/** `write` is the real stdout, which is otherwise kept for the protocol. */
export function processTerminal(write: (text: string) => void): Terminal {
  const print = (line: string) => write(`${line}\n`);
  if (!process.stdin.isTTY || !process.stderr.isTTY) return { print };
  return {
    print,
    progress: (line) => process.stderr.write(`\r\u001b[K${line}`),
    async ask(question, isSecret = false) {
      process.stderr.write(question);
      const output = isSecret ? new Writable({ write: (_, __, done) => done() }) : process.stderr;
      const reader = createInterface({ input: process.stdin, output, terminal: true });
      try {
        return await new Promise<string>((resolve, reject) => {
          reader.once('line', resolve);
          // Ctrl-C and Ctrl-D end the command, not only the question.
          reader.once('close', () => reject(new Error('Stopped; nothing more was changed.')));
        });
      } finally {
        reader.close();
        if (isSecret) process.stderr.write('\n');
      }
    },
  };
}
