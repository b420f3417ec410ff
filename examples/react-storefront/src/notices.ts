import { useSyncExternalStore } from "react";

/** A message to the shopper. The page shows one at a time, until the next one or until it is closed. */
export interface Notice {
  text: string;
  action?: { label: string; run: () => unknown };
}

let current: Notice | undefined;
const listeners = new Set<() => void>();

export function notify(text: string, action?: Notice["action"]): void {
  set(action ? { text, action } : { text });
}

export function closeNotice(): void {
  set(undefined);
}

export function useNotice(): Notice | undefined {
  return useSyncExternalStore(subscribe, () => current);
}

function set(notice: Notice | undefined): void {
  current = notice;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
