import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";

/** The faults that the control page switches on and off, by the part of Shopify that has them. */
export const faultSwitchesSchema = z.strictObject({
  /** the Admin API */
  graphql: z.enum(["none", "slow", "error", "throttled", "expired_token"]),
  /** the token endpoint */
  token: z.enum(["none", "slow", "error", "invalid_subject_token"]),
  /** the app proxy: forwards requests late, or fails */
  proxy: z.enum(["none", "slow", "error"]),
  /** webhooks: each delivered twice, or never, only the next one lost, or each second one before the one that it follows */
  webhooks: z.enum(["none", "twice", "never", "next_lost", "out_of_order"]),
  /**
   * The mail server: accepts each message late, has no time for connections (421), refuses logins (535), refuses recipients for good
   * (550) or for now (451), or closes the connection when a message arrives. It has the faults of the first store.
   */
  mail: z.enum(["none", "slow", "busy", "no_login", "no_recipient", "try_later", "closes"]),
  /** delay of `slow` in milliseconds */
  delayMs: z.int().min(0).max(60_000),
});
export type FaultSwitches = z.infer<typeof faultSwitchesSchema>;

const NO_FAULTS: Readonly<FaultSwitches> = {
  graphql: "none",
  token: "none",
  proxy: "none",
  webhooks: "none",
  mail: "none",
  delayMs: 5_000,
};

/**
 * A request to the Admin API. The token endpoint's have no operation. A recipient of the mail server has its address as operation, a
 * message that of its first recipient.
 */
export interface AdminApiRequest {
  operation: string;
  variables: Readonly<Record<string, unknown>>;
}

/**
 * What Shopify does with a request: refuses it in one of the ways of the Admin API, never responds, responds with another
 * HTTP status, or responds as usual once a promise has resolved. The mail server responds with another SMTP status, or
 * closes the connection without a response.
 */
export type FaultyBehaviour =
  | "throttled"
  | "unauthorized token"
  | "access denied"
  | "query too expensive"
  | "hangs"
  | "closes"
  | { status: number; location?: string }
  | { until: Promise<unknown> };

/** A fault that a test injects. */
export interface Fault {
  on:
    | "graphql"
    | "token"
    | "discovery"
    | "customer account"
    | "mail connection"
    | "mail login"
    | "mail recipient"
    | "mail message";
  /** limits the fault to an operation of the Admin API, or to a recipient's address */
  operation?: string;
  /** limits the fault to requests with certain variables */
  when?: (variables: AdminApiRequest["variables"]) => boolean;
  /** number of requests that it affects; unlimited by default */
  times?: number;
  behaviour: FaultyBehaviour;
}

export interface Faults {
  readonly switches: FaultSwitches;
  /** Injects a fault. @returns removes it */
  inject: (fault: Fault) => () => void;
  /** Removes the injected faults and resets the switches. */
  clear: () => void;
  /** Waits where a fault delays the request. @returns what else happens to it; undefined for nothing */
  encounter: (
    on: Fault["on"],
    request?: AdminApiRequest,
  ) => Promise<Exclude<FaultyBehaviour, { until: Promise<unknown> } | "hangs"> | undefined>;
  /** Delays a request to a part that is switched to `slow`. */
  slowDown: (part: "graphql" | "token" | "proxy" | "mail") => Promise<void>;
}

export function createFaults(): Faults {
  const switches = { ...NO_FAULTS };
  let injected: (Fault & { left: number })[] = [];

  function take(on: Fault["on"], { operation, variables }: AdminApiRequest): FaultyBehaviour[] {
    const hit = injected.filter(
      (fault) =>
        fault.on === on &&
        fault.left > 0 &&
        (fault.operation === undefined || fault.operation === operation) &&
        (fault.when === undefined || fault.when(variables)),
    );
    for (const fault of hit) fault.left--;
    return hit.map(({ behaviour }) => behaviour);
  }

  return {
    switches,
    inject(fault) {
      const entry = { ...fault, left: fault.times ?? Infinity };
      injected.push(entry);
      return () => {
        injected = injected.filter((other) => other !== entry);
      };
    },
    clear() {
      injected = [];
      Object.assign(switches, NO_FAULTS);
    },
    async encounter(on, request = { operation: "", variables: {} }) {
      for (const behaviour of take(on, request)) {
        if (behaviour === "hangs") await new Promise<never>(() => undefined);
        else if (typeof behaviour === "object" && "until" in behaviour) await behaviour.until;
        else return behaviour;
      }
      return undefined;
    },
    async slowDown(part) {
      if (switches[part] === "slow") await wait(switches.delayMs);
    },
  };
}
