// Asks the app, through the store, as whoever looks at the page.
window.wishlistAsking ??= (() => {
  /** Milliseconds after which a request counts as failed. */
  const PATIENCE = 20_000;
  /** Seconds to wait where nobody says how many. */
  const WAIT = "60";

  async function request(root, path, body) {
    const { guest } = window.wishlistStored.read();
    const guestId = root.dataset.owner === "guest" && guest ? { guestId: guest } : {};
    const response = await fetch(`${root.dataset.proxy}/api/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...guestId, ...body }),
      signal: window.AbortSignal.timeout(PATIENCE),
    });
    if (!response.ok) {
      const said = await response.json().catch(() => undefined);
      const wait = response.headers.get("retry-after") ?? WAIT;
      throw Object.assign(new Error(), { code: said?.error?.code, wait });
    }
    return response;
  }

  async function ask(root, path, body) {
    return (await (await request(root, path, body)).json()).data;
  }

  return { request, ask };
})();
