import { randomBase62 } from "../../../app/platform/ids.server.ts";

/** Sessions of logged-in customers, by the value of the storefront's cookie. */
export interface CustomerSessions {
  /** @returns the cookie's value */
  open: (customerId: string) => string;
  customerId: (session: string | undefined) => string | undefined;
  close: (session: string | undefined) => void;
}

export function createCustomerSessions(): CustomerSessions {
  const sessions = new Map<string, string>();
  return {
    open(customerId) {
      const session = randomBase62(32);
      sessions.set(session, customerId);
      return session;
    },
    customerId: (session) => (session === undefined ? undefined : sessions.get(session)),
    close(session) {
      if (session !== undefined) sessions.delete(session);
    },
  };
}
