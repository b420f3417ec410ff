import { now } from "../../../app/platform/clock.server.ts";

/** A line of the control page's log. Never holds tokens or secrets. */
export interface Entry {
  at: Date;
  kind: "webhook" | "oauth" | "graphql" | "proxy" | "billing" | "theme" | "install" | "flow";
  summary: string;
  /** HTTP status of the response, if there was one */
  status?: number | undefined;
}

const MAXIMUM_ENTRIES = 200;

export interface Journal {
  /** newest first */
  entries: () => readonly Entry[];
  record: (entry: Omit<Entry, "at">) => void;
  clear: () => void;
}

export function createJournal(): Journal {
  let entries: Entry[] = [];
  return {
    entries: () => entries,
    record(entry) {
      entries = [{ at: now(), ...entry }, ...entries].slice(0, MAXIMUM_ENTRIES);
    },
    clear() {
      entries = [];
    },
  };
}
