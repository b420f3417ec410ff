import { randomBase62 } from "../../app/platform/ids.server.ts";

/** Customers' sessions in the storefront: cookie value → customer id. */
export interface Logins {
  open: (customerId: string) => string;
  customerId: (session: string | undefined) => string | undefined;
  close: (session: string | undefined) => void;
}

export function createLogins(): Logins {
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
