import type { WishlistError } from "@wishlist-headless/sdk";
import type { Effect, PendingChange, Unconfirmed } from "./changes.ts";

/** `loading` until the first response; `failed` without one. After a later failure what was read stays, and the status is `ready`. */
export type Status = "loading" | "ready" | "failed";

export interface State {
  status: Status;
  /** whether a change waits for the service */
  pending: boolean;
  /** why the last change failed, or the last read */
  error: WishlistError | undefined;
}

/** A cell as components see it. */
export interface View<Fields> {
  /** Returns the state before anything is known, as on a server. */
  readonly initial: () => Fields & State;
  readonly state: () => Fields & State;
  /** Reads it while a component shows it. @returns a function that ends it */
  readonly watch: (listener: () => void) => () => void;
}

/** A cell, whatever it holds. */
export interface AnyCell {
  /** the product or list whose changes it shows */
  readonly key: string;
  /** whether it was read */
  ready?: boolean;
  watchers: number;
  /** whether it must be read, again or for the first time */
  due: boolean;
  /** Calculates what components show. */
  show: (unconfirmed: Unconfirmed) => void;
  /** Applies a change that the service has made. */
  confirm: (effect: Effect) => void;
  /** Forgets what is known. @param isNew whether there is nothing to read, as for a new guest */
  reset: (isNew: boolean) => void;
  /** Reads it, unless it is read together with others. */
  read?: () => Promise<void>;
  readonly state: () => State;
}

/** What is known of a product, a list's items or the lists. */
export interface Cell<Data, Fields> extends AnyCell, View<Fields> {
  /** what the service has confirmed; until it was read, only what its changes tell */
  known: Data;
  /** what is known, including changes that the service has not confirmed */
  shown: Data;
  readonly state: () => Fields & State;
  /** Notes that a read begins. @returns a function for its result, which has no effect once another read has begun */
  begin: () => (data: Data | undefined, error?: WishlistError) => void;
}

/** What makes a cell that of a product, a list's items or the lists. */
export interface CellKind<Data, Fields> {
  key: string;
  empty: Data;
  apply: (data: Data, effect: Effect) => Data;
  /** Returns what components get beside the state. */
  view: (data: Data, unconfirmed: Unconfirmed) => Fields;
  /** Tells whether it must be read again after a change. */
  isStale?: (effect: Effect) => boolean;
}

/**
 * Creates a cell, which its registry has from when a component shows it: what is rendered and never shown, as on a server, leaves nothing.
 * @param id the cell's key in the registry
 * @param watch notes that a component shows a cell
 */
export function createCell<Data extends object, Fields extends object>(
  { key, empty, apply, view, isStale }: CellKind<Data, Fields>,
  id: string,
  registry: Map<string, Cell<Data, Fields>>,
  watch: (listener: () => void) => () => void,
): Cell<Data, Fields> {
  const initial: Fields & State = {
    ...view(empty, { pending: new Map(), refused: undefined }),
    status: "loading",
    pending: false,
    error: undefined,
  };
  let state = initial;
  let failure: WishlistError | undefined;
  let recent: Effect[] = [];
  const isOwn = (change: PendingChange | undefined) => change?.queue === key || change?.listId === key;
  const cell: Cell<Data, Fields> = {
    key,
    known: empty,
    shown: empty,
    watchers: 0,
    due: true,
    initial: () => initial,
    state() {
      // Another component may have created one for the same at the same time.
      const shared = registry.get(id) ?? cell;
      return shared === cell ? state : shared.state();
    },
    watch(listener) {
      const shared = registry.get(id) ?? cell;
      // The last one to be shown is the last one to be evicted.
      registry.delete(id);
      registry.set(id, shared);
      // It may have changed since it was shown last.
      if (shared.watchers++ === 0 && shared.read) shared.due = true;
      const end = watch(listener);
      return () => {
        shared.watchers--;
        end();
      };
    },
    show(unconfirmed) {
      const { pending, refused } = unconfirmed;
      const changes = [...pending.values()];
      cell.shown = changes.reduce(apply, cell.known);
      const next: Fields & State = {
        ...view(cell.shown, unconfirmed),
        status: cell.ready ? "ready" : failure ? "failed" : "loading",
        pending: changes.some(isOwn),
        error: isOwn(refused) ? refused?.error : failure,
      };
      // React compares by identity.
      if ((Object.keys(next) as (keyof typeof next)[]).some((name) => next[name] !== state[name])) state = next;
    },
    confirm(effect) {
      if (isStale?.(effect)) cell.due = true;
      recent.push(effect);
      cell.known = apply(cell.known, effect);
    },
    begin() {
      const mine: Effect[] = (recent = []);
      cell.due = false;
      return (data, error) => {
        if (recent !== mine) return;
        failure = error;
        // The service may have made these changes after it had read.
        if (data) {
          cell.known = mine.reduce(apply, data);
          cell.ready = true;
        } else cell.due = true;
      };
    },
    reset(isNew) {
      cell.known = empty;
      cell.ready = isNew;
      cell.due = false;
      failure = undefined;
      recent = [];
    },
  };
  return cell;
}
