// Puts variants into the store's cart, so that the theme's cart count and drawer follow.
window.wishlistCart ??= (() => {
  const gid = (type, id) => `gid://shopify/${type}/${id}`;
  /** The cart's path in the language and market of the page. */
  const cartPath = (root) => root.dataset.cart;
  const JSON_HEADERS = { "Content-Type": "application/json", Accept: "application/json" };

  /** The last change of the cart: concurrent changes would overwrite each other. */
  let last = Promise.resolve();

  /**
   * Adds one of each variant, all of them or none.
   * @param from the element that the shopper pressed
   * @returns the cart's token
   * @throws an error with the store's reason in `told`, and with the `refused` variants where the store names them
   */
  function addToCart(root, from, variantIds) {
    const add = window.Shopify?.actions?.updateCart ? addByAction : addByAjax;
    const added = last.then(() => add(root, from, variantIds));
    last = added.catch(() => undefined);
    return added;
  }

  /** Shopify's standard storefront action: the theme decides how to show the change, and Shopify sends the events. */
  async function addByAction(_root, _from, variantIds) {
    const lines = linesOf(variantIds);
    const { cart, userErrors = [], warnings = [] } = await window.Shopify.actions.updateCart({ lines });
    const soldOut = warnings.find(({ code }) => variantIds.length === 1 && code === "MERCHANDISE_OUT_OF_STOCK");
    const [error = soldOut] = userErrors;
    if (error) {
      const places = userErrors.map(({ field = [] }) => variantIds[field[field.indexOf("lines") + 1]]);
      throw Object.assign(new Error(), { told: error.message, refused: places.filter(Boolean) });
    }
    return tokenOf(cart.id);
  }

  /** The Ajax cart, for pages without the action. It tells the theme by Shopify's standard event. */
  async function addByAjax(root, from, variantIds) {
    const path = cartPath(root);
    const theme = themeCart();
    const posted = post(path, theme, variantIds);
    const changed = posted.then(async ({ refused }) => {
      const cart = await (await fetch(`${path}.js`)).json();
      return { cart, refused };
    });
    announce(from, variantIds, changed);
    const { added, refused } = await posted;
    if (refused) throw Object.assign(new Error(), { told: refused });
    show(theme, from, added);
    const { cart } = await changed;
    return tokenOf(cart.token);
  }

  async function post(path, theme, variantIds) {
    const items = variantIds.map((id) => ({ id: Number(id), quantity: 1 }));
    const sections = theme.sections.length > 0 && { sections: theme.sections, sections_url: path };
    const response = await fetch(`${path}/add.js`, {
      method: "POST",
      headers: JSON_HEADERS,
      body: JSON.stringify({ items, ...sections }),
    });
    const added = await response.json().catch(() => ({}));
    if (response.ok) return { added };
    if (response.status < 500 && added.description) return { refused: added.description };
    throw new Error();
  }

  /** Sends what Shopify documents for a change of the cart's lines: the event first, its outcome in `promise`. */
  function announce(from, variantIds, changed) {
    const promise = changed.then(({ cart, refused }) => ({
      cart: standardCart(cart),
      userErrors: refused ? [{ message: refused }] : [],
      warnings: [],
      detail: { itemCount: cart.item_count },
    }));
    const update = { action: "add", context: "product", lines: linesOf(variantIds), promise };
    from.dispatchEvent(Object.assign(new Event("shopify:cart:lines-update", { bubbles: true }), update));
    promise.then(
      () => {
        // Themes that are older than the standard event listen for one of these.
        for (const name of ["cart:refresh", "cart:build"]) {
          document.documentElement.dispatchEvent(new CustomEvent(name, { bubbles: true }));
        }
      },
      (error) => {
        const failure = { error: error.message, code: "SERVICE_UNAVAILABLE" };
        from.dispatchEvent(Object.assign(new Event("shopify:cart:error", { bubbles: true }), failure));
      },
    );
  }

  /** The cart of Dawn and the themes made from it, which renders sections that come with the response. */
  function themeCart() {
    const element = document.querySelector("cart-notification, cart-drawer");
    const sections = element?.getSectionsToRender?.().map(({ id }) => id);
    const isBubble = document.getElementById("cart-icon-bubble");
    return { element: sections && element, sections: sections ?? (isBubble ? ["cart-icon-bubble"] : []) };
  }

  function show({ element, sections }, from, added) {
    if (!added.sections || sections.length === 0) return;
    // A theme's own failure is not the shopper's: the product is in the cart.
    try {
      if (element) {
        element.setActiveElement?.(from);
        element.renderContents({ ...added.items?.at(-1), ...added });
        element.classList.remove("is-empty");
      } else {
        const html = new DOMParser().parseFromString(added.sections["cart-icon-bubble"], "text/html");
        const bubble = html.querySelector(".shopify-section") ?? html.body;
        document.getElementById("cart-icon-bubble").replaceChildren(...bubble.childNodes);
      }
    } catch (error) {
      window.reportError?.(error);
    }
  }

  function linesOf(variantIds) {
    return variantIds.map((id) => ({ merchandiseId: gid("ProductVariant", id), quantity: 1 }));
  }

  /** The Ajax cart in the shape of the Storefront API, as standard events carry it. */
  function standardCart({ token, item_count, total_price, currency, items = [] }) {
    const cost = (cents = 0) => ({ totalAmount: { amount: (cents / 100).toFixed(2), currencyCode: currency } });
    return {
      id: gid("Cart", token),
      totalQuantity: item_count,
      cost: cost(total_price),
      lines: items.map(({ key, quantity, final_line_price }) => ({
        id: gid("CartLine", key),
        quantity,
        cost: cost(final_line_price),
      })),
      discountCodes: [],
    };
  }

  function tokenOf(id) {
    return String(id).replace(/.*\/|\?.*/g, "");
  }

  return { cartPath, addToCart };
})();
