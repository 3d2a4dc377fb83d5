/** Lays the desktop bundle out in `folder`, which is emptied first; needs a build. */
export function layOutBundle(folder: string): void;
