// Replaces a saved variant by another one of its product.
window.wishlistVariants ??= (() => {
  const { keep, include, exclude } = window.wishlistStorage;
  const { call } = window.wishlistApi;
  const { say, fail } = window.wishlistMessages;
  const { rootOf } = window.wishlistItems;
  const { load } = window.wishlistLoading;

  async function change(select) {
    const card = select.closest("[data-wishlist-item]");
    const root = rootOf(card);
    const { productId, variantId: before } = card.dataset;
    const [option] = select.selectedOptions;
    const after = option.value;
    if (card.ariaBusy) select.value = before;
    if (select.value === before) return;
    card.ariaBusy = "true";
    try {
      const { added, ...response } = await replace(root, productId, before, after);
      keep(root, response, (saved) => {
        const handle = saved[productId]?.h;
        exclude(saved, { productId, variantId: before });
        include(saved, { productId, variantId: after, handle });
      });
      show(card, select, option);
      // Where the list had the other variant already, its card is there twice now.
      const shown = added ? root : await load(root).catch(() => root);
      say(shown, root.dataset.sayChanged.replace("[title]", titleOf(option)));
    } catch (error) {
      select.value = before;
      fail(root, error);
    }
    card.ariaBusy = null;
  }

  /** A sold-out variant's text says so behind its title. */
  const titleOf = ({ dataset, text }) => dataset.soldOut ?? text;

  /** Adds before it removes, so that no failure loses the item. */
  async function replace(root, productId, before, after) {
    // A shopper who leaves the page meanwhile must not end up with both.
    const send = (path, variantId) => call(root, path, { productId, variantId }, { keepalive: true });
    const [add, remove] = ["add", "remove"].map((path) => (variantId) => send(path, variantId));
    let added;
    try {
      ({ added } = await add(after));
    } catch (error) {
      if (error.code !== "wishlist_full") throw error;
      // A full list has no room for both.
      await remove(before);
      return add(after).catch(async (failure) => {
        await add(before);
        throw failure;
      });
    }
    try {
      return { ...(await remove(before)), added };
    } catch (error) {
      if (added) await remove(after).catch(() => undefined);
      throw error;
    }
  }

  /** Shows the variant on the card, which keeps its place. */
  function show(card, select, option) {
    const { value, dataset } = option;
    const isSoldOut = dataset.soldOut !== undefined;
    card.dataset.variantId = value;
    for (const field of card.querySelectorAll('[name="variant"], [data-wishlist-cart] [name="id"]'))
      field.value = value;
    for (const link of card.querySelectorAll("a[href]")) {
      const address = new URL(link.href);
      address.searchParams.set("variant", value);
      link.href = address;
    }
    const picture = card.querySelector("img");
    const source = dataset.image ?? select.dataset.image;
    if (picture && source && picture.src !== source) {
      picture.removeAttribute("srcset");
      picture.src = source;
    }
    const name = card.querySelector(".wl-variant");
    if (name) name.textContent = titleOf(option);
    const price = card.querySelector(".wl-price");
    const [was, now] = ["s", "span"].map((tag) => document.createElement(tag));
    was.textContent = dataset.was ?? "";
    now.textContent = dataset.price;
    price.replaceChildren(...(dataset.was ? [was, " "] : []), now);
    const badge = card.querySelector(".wl-badge");
    badge.textContent = badge.dataset.soldOut;
    badge.hidden = !isSoldOut;
    card.querySelector("[data-wishlist-cart]").hidden = isSoldOut;
    card.querySelector("[data-wishlist-show]").hidden = !isSoldOut;
  }

  return { change };
})();
