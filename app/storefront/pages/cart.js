// Puts an item into the cart without leaving the page.
window.wishlistCart ??= (() => {
  const { request } = window.wishlistAsking;
  const { say, fail } = window.wishlistSaying;

  async function putIntoCart(form) {
    const root = form.closest("[data-wishlist-root]");
    const button = form.querySelector("button");
    if (button.ariaDisabled) return;
    const label = button.firstChild;
    const { sayAdd, sayAdding, sayAdded, sayViewCart } = root.dataset;
    const cart = form.action.replace(/\/add$/, "");
    button.ariaDisabled = "true";
    label.textContent = sayAdding;
    try {
      const items = [{ id: Number(new FormData(form).get("id")), quantity: 1 }];
      const response = await fetch(`${cart}/add.js`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({ items }),
      });
      if (!response.ok) {
        const said = await response.json().catch(() => undefined);
        throw Object.assign(new Error(), { told: said?.description });
      }
      const link = Object.assign(document.createElement("a"), { href: cart, textContent: sayViewCart });
      label.textContent = sayAdded;
      say(root, sayAdded, link);
      void report(root, form.closest("[data-wishlist-item]").dataset, cart);
    } catch (error) {
      label.textContent = sayAdd;
      fail(root, error);
    }
    button.ariaDisabled = null;
  }

  /** Once for each variant and cart. A figure is not worth a message to the shopper. */
  async function report(root, { productId, variantId }, cart) {
    if (!root.dataset.owner) return;
    try {
      const { token } = await (await fetch(`${cart}.js`)).json();
      const eventId = String(token).replace(/.*\/|\?.*/g, "");
      await request(root, "cart", { eventId, items: [{ productId, variantId }] });
    } catch {
      // It is lost.
    }
  }

  return { putIntoCart };
})();
