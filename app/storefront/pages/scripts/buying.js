// Adds saved items to the cart: one, one that leaves the list, or all.
window.wishlistBuying ??= (() => {
  const { request, call } = window.wishlistApi;
  const { say, fail } = window.wishlistMessages;
  const { remove, rootOf, nameOf } = window.wishlistItems;
  const { cartPath, addToCart } = window.wishlistCart;

  /** Milliseconds after success in which a second press counts as part of the first: a double click, Enter and a click. */
  const GUARD = 1500;
  /** Variants in one request to the cart. */
  const BATCH = 50;
  /** As many items as the app returns, and takes, at once. */
  const SLICE = { list: 250, report: 100 };

  /** Shows what a button does meanwhile. @returns a function that ends it; undefined while it is under way already */
  function begin(buttons, button, text) {
    if (buttons.some(({ ariaDisabled }) => ariaDisabled)) return undefined;
    const label = button.firstChild;
    const before = label.textContent;
    for (const one of buttons) one.ariaDisabled = "true";
    label.textContent = text;
    const end = () => {
      label.textContent = before;
      for (const one of buttons) one.ariaDisabled = null;
    };
    return (done) => {
      if (done) label.textContent = done;
      if (done) setTimeout(end, GUARD);
      else end();
    };
  }

  function cartLink(root) {
    return Object.assign(document.createElement("a"), { href: cartPath(root), textContent: root.dataset.sayViewCart });
  }

  /** @param button the one that was pressed */
  async function addOne(form, button) {
    const root = rootOf(form);
    const card = form.closest("[data-wishlist-item]");
    const { sayAdding, sayAdded, sayMoved } = root.dataset;
    const end = begin([...form.querySelectorAll("button")], button, sayAdding);
    if (!end) return;
    const item = { ...card.dataset };
    try {
      const token = await addToCart(root, button, [item.variantId]);
      void report(root, token, [item]);
    } catch (error) {
      end();
      fail(root, error);
      return;
    }
    const isMove = "wishlistMove" in button.dataset;
    // The theme may load the page anew to show its cart: the request has to outlive it.
    if (isMove && (await remove(card, sayMoved, { keepalive: true }))) {
      end();
      say(root, sayMoved, cartLink(root));
    } else {
      end(sayAdded);
      if (!isMove) say(root, sayAdded, cartLink(root));
    }
  }

  /** Adds the available items of all pages, as few requests as possible, and names those that the store refuses. */
  async function addAll(button) {
    const root = rootOf(button);
    const { sayAdding, sayAdded } = root.dataset;
    const end = begin([button], button, sayAdding);
    if (!end) return;
    const outcome = { added: [], refused: [], token: "" };
    try {
      const items = await availableItems(root);
      while (items.length > 0) await addBatch(root, button, items.splice(0, BATCH), outcome);
      end(outcome.added.length > 0 && sayAdded);
      say(root, summary(root, outcome), outcome.added.length > 0 ? cartLink(root) : undefined);
    } catch (error) {
      end();
      if (outcome.added.length > 0) say(root, summary(root, outcome), cartLink(root));
      else fail(root, error);
    }
    while (outcome.added.length > 0) void report(root, outcome.token, outcome.added.splice(0, SLICE.report));
  }

  async function availableItems(root) {
    const found = [];
    for (let total = 1, offset = 0; offset < total; offset += SLICE.list) {
      const body = { limit: SLICE.list, offset, available: true };
      const { items, itemCount, matchCount = itemCount } = await call(root, "list", body);
      found.push(...items);
      total = matchCount;
    }
    return found;
  }

  /** A store refuses a request for one of its variants: the others are tried again without it. */
  async function addBatch(root, from, items, outcome) {
    try {
      const variantIds = items.map(({ variantId }) => variantId);
      outcome.token = await addToCart(root, from, variantIds);
      outcome.added.push(...items);
    } catch (error) {
      if (error.told === undefined) throw error;
      const isRefused = ({ variantId }) => error.refused?.includes(variantId);
      const refused = items.length === 1 ? items : items.filter(isRefused);
      outcome.refused.push(...refused.map((item) => titleOf(root, item) ?? error.told));
      const rest = items.filter((item) => !refused.includes(item));
      const middle = refused.length > 0 ? rest.length : Math.ceil(rest.length / 2);
      for (const part of [rest.slice(0, middle), rest.slice(middle)]) {
        if (part.length > 0) await addBatch(root, from, part, outcome);
      }
    }
  }

  /** The title of an item of the page that is shown. */
  function titleOf(root, { productId }) {
    const card = root.querySelector(`[data-wishlist-item][data-product-id="${productId}"]`);
    return card?.querySelector(".wl-name") ? nameOf(card) : undefined;
  }

  function summary(root, { added, refused }) {
    const { sayAdded, sayAllAdded, sayNotAdded, sayNoneAvailable } = root.dataset;
    if (added.length + refused.length === 0) return sayNoneAvailable;
    const success = added.length === 1 ? sayAdded : sayAllAdded.replace("[n]", added.length);
    const failure = sayNotAdded.replace("[titles]", [...new Set(refused)].join(", "));
    return [...(added.length > 0 ? [success] : []), ...(refused.length > 0 ? [failure] : [])].join(". ");
  }

  /** Counted once for each variant and cart. A figure is not worth a message to the shopper. */
  async function report(root, eventId, items) {
    if (!root.dataset.owner) return;
    const reported = items.map(({ productId, variantId }) => ({ productId, variantId }));
    await request(root, "cart", { eventId, items: reported }).catch(() => undefined);
  }

  return { addOne, addAll };
})();
