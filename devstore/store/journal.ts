import { now } from "../../app/platform/clock.server.ts";

/** What went over the wire, for the control page. Never holds tokens or secrets. */
export interface Entry {
  at: Date;
  kind: "webhook" | "oauth" | "graphql" | "proxy" | "billing" | "theme" | "install";
  /** one line */
  what: string;
  /** HTTP status of the answer; undefined when there was none */
  status?: number | undefined;
}

const KEPT = 200;

export interface Journal {
  entries: () => readonly Entry[];
  add: (entry: Omit<Entry, "at">) => void;
  clear: () => void;
}

export function createJournal(): Journal {
  let entries: Entry[] = [];
  return {
    entries: () => entries,
    add(entry) {
      entries = [{ at: now(), ...entry }, ...entries].slice(0, KEPT);
    },
    clear() {
      entries = [];
    },
  };
}
