export const CART_COOKIE = "cart";
export const LOGIN_COOKIE = "_shopify_customer";

/** Returns the value of a request's cookie. */
export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name) return value.join("=");
  }
  return undefined;
}

/** Returns a session cookie that scripts cannot read. */
export function sessionCookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; SameSite=Lax; HttpOnly`;
}
