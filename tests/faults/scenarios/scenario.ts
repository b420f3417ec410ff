import type { Rig } from "../rig/rig.ts";

/** What a scenario must reach. The defaults hold for most. */
export interface Goal {
  /** milliseconds from the end of the cause until everything works again */
  recoveryMs: number;
  /** longest response */
  longestMs: number;
  /** connections that may be refused or lost: only where a web process itself is killed */
  connectionErrors: boolean;
  /** whether requests may be refused with 503 and Retry-After */
  refusals: boolean;
  /** how much slower the 99th percentile of the other shops may become */
  othersP99Factor?: number;
}

export const GOAL: Goal = { recoveryMs: 5_000, longestMs: 20_000, connectionErrors: false, refusals: true };

/** Something that goes wrong. Everything else (load, ledger, measurement, checks) is the same for all scenarios. */
export interface Scenario {
  /** for the command line */
  name: string;
  /** for the table */
  title: string;
  /** what must be controllable: the database server, its file system, or processes' clocks */
  needs?: "postgres" | "volumes" | "faketime";
  /** seconds from `inject` to `heal`; without `heal` the cause ends when `inject` returns */
  seconds: number;
  /** operations a second over all shops, instead of the normal load */
  perSecond?: number;
  /** operations a second that are added on one shop while the cause lasts */
  hotPerSecond?: number;
  /** Prepares the rig before the load starts. */
  before?: (rig: Rig) => Promise<void>;
  inject: (rig: Rig) => Promise<void> | void;
  heal?: (rig: Rig) => Promise<void> | void;
  /** Restores the rig after the measurement. */
  after?: (rig: Rig) => Promise<void>;
  goal?: Partial<Goal>;
}
