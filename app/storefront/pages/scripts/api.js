// Calls the app through the store, as the shopper whose page this is.
window.wishlistApi ??= (() => {
  /** Milliseconds after which a request counts as failed. */
  const TIMEOUT = 20_000;
  /** Seconds to wait where the response does not say how many. */
  const WAIT = "60";

  /** @param options for `fetch` */
  async function request(root, path, body, options) {
    const { guest } = window.wishlistStorage.read();
    const guestId = root.dataset.owner === "guest" && guest ? { guestId: guest } : {};
    const response = await fetch(`${root.dataset.proxy}/api/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...guestId, ...body }),
      signal: window.AbortSignal.timeout(TIMEOUT),
      ...options,
    });
    if (!response.ok) {
      const failure = await response.json().catch(() => undefined);
      const wait = response.headers.get("retry-after") ?? WAIT;
      throw Object.assign(new Error(), { code: failure?.error?.code, wait });
    }
    return response;
  }

  async function call(root, path, body, options) {
    return (await (await request(root, path, body, options)).json()).data;
  }

  return { request, call };
})();
