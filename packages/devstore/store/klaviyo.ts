import { now } from "../../../app/platform/clock.server.ts";

/** What an account's private key may do. */
export const KLAVIYO_SCOPES = ["accounts:read", "events:write"] as const;
export type KlaviyoScope = (typeof KLAVIYO_SCOPES)[number];

export interface KlaviyoProfile {
  id: string;
  email: string | undefined;
  externalId: string | undefined;
  /** the other attributes, as they were sent last */
  attributes: Readonly<Record<string, unknown>>;
}

export interface KlaviyoEvent {
  receivedAt: Date;
  profile: KlaviyoProfile;
  metric: string;
  time: Date;
  uniqueId: string;
  value: number | undefined;
  currency: string | undefined;
  /** a backfilled event starts no flow */
  isBackfill: boolean;
  properties: Readonly<Record<string, unknown>>;
}

/** A request of the app, accepted or not. */
export interface KlaviyoRequest {
  method: string;
  path: string;
  /** undefined without one, or when it is no JSON */
  body: unknown;
  status: number;
}

interface Identifiers {
  id?: string | undefined;
  email?: string | undefined;
  externalId?: string | undefined;
}

const MAXIMUM_EVENTS = 10_000;
const MAXIMUM_REQUESTS = 1_000;

/** A marketing account, for all stores of a devstore. */
export interface Klaviyo {
  /** the private key that works; a test or the page changes it */
  key: string;
  /** of the key */
  scopes: Set<KlaviyoScope>;
  organization: string;
  /** whether the published rate limits apply */
  isLimited: boolean;
  /** newest first */
  events: () => readonly KlaviyoEvent[];
  /** in order of creation */
  profiles: () => readonly KlaviyoProfile[];
  /** newest first */
  requests: () => readonly KlaviyoRequest[];
  recordRequest: (request: KlaviyoRequest) => void;
  /** Returns the profile with one of the identifiers, changed by the attributes; creates it when there is none. */
  saveProfile: (identifiers: Identifiers, attributes: Readonly<Record<string, unknown>>) => KlaviyoProfile;
  /** Records an event, unless the profile has one with this metric and unique id. */
  recordEvent: (event: Omit<KlaviyoEvent, "receivedAt">) => void;
  /** Deletes profiles, events and requests, and makes the first key valid with all scopes. */
  clear: () => void;
}

/** Looks like a private key, and is none. */
const FIRST_KEY = "pk_devstore_0a1b2c3d4e5f6071829304a5b6c7d8e9f0";

export function createKlaviyo(): Klaviyo {
  let profiles: KlaviyoProfile[] = [];
  let events: KlaviyoEvent[] = [];
  let requests: KlaviyoRequest[] = [];
  let recorded = new Set<string>();
  const klaviyo: Klaviyo = {
    key: FIRST_KEY,
    scopes: new Set(KLAVIYO_SCOPES),
    organization: "Larkfell Outdoor",
    isLimited: true,
    events: () => events,
    profiles: () => profiles,
    requests: () => requests,
    recordRequest(request) {
      requests = [request, ...requests].slice(0, MAXIMUM_REQUESTS);
    },
    saveProfile({ id, email, externalId }, attributes) {
      const address = email?.toLowerCase();
      const found = profiles.find(
        (profile) =>
          (id !== undefined && profile.id === id) ||
          (address !== undefined && profile.email === address) ||
          (externalId !== undefined && profile.externalId === externalId),
      );
      const profile = found ?? {
        id: `01DEVSTORE${String(profiles.length + 1).padStart(16, "0")}`,
        email: undefined,
        externalId: undefined,
        attributes: {},
      };
      if (found === undefined) profiles.push(profile);
      profile.email = address ?? profile.email;
      profile.externalId = externalId ?? profile.externalId;
      profile.attributes = { ...profile.attributes, ...attributes };
      return profile;
    },
    recordEvent(event) {
      const key = JSON.stringify([event.profile.id, event.metric, event.uniqueId]);
      if (recorded.has(key)) return;
      recorded.add(key);
      events.unshift({ receivedAt: now(), ...event });
      if (events.length > MAXIMUM_EVENTS) events.pop();
    },
    clear() {
      profiles = [];
      events = [];
      requests = [];
      recorded = new Set();
      klaviyo.key = FIRST_KEY;
      klaviyo.scopes = new Set(KLAVIYO_SCOPES);
      klaviyo.isLimited = true;
    },
  };
  return klaviyo;
}
