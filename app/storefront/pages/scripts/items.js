// Removes an item from the list, and restores it.
window.wishlistItems ??= (() => {
  const { read, keep, include, exclude } = window.wishlistStorage;
  const { call } = window.wishlistApi;
  const { say, fail, buttonFor } = window.wishlistMessages;

  const rootOf = (element) => element.closest("[data-wishlist-root]");
  const nameOf = (card) => card.querySelector(".wl-name").textContent.trim();

  /**
   * Removes the card's item and offers to undo it.
   * @param done the text for what happened
   * @returns whether the item was removed
   */
  async function remove(card, done, options) {
    if (card.ariaBusy) return false;
    const root = rootOf(card);
    const { productId, variantId } = card.dataset;
    // Undoing has to bring the handle back as well.
    card.dataset.handle = read().saved[productId]?.h ?? card.dataset.handle ?? "";
    card.ariaBusy = "true";
    try {
      const removed = await call(root, "remove", { productId, variantId }, options);
      keep(root, removed, (saved) => exclude(saved, card.dataset));
      offerUndo(root, card, done);
      return true;
    } catch (error) {
      fail(root, error);
      return false;
    } finally {
      card.ariaBusy = null;
    }
  }

  function offerUndo(root, card, done) {
    const { sayUndo } = root.dataset;
    const before = [...card.childNodes];
    const place = Object.assign(document.createElement("div"), { className: "wl-undo" });
    const [title, text] = ["p", "p"].map((tag) => document.createElement(tag));
    title.textContent = nameOf(card);
    text.textContent = done;
    const undo = buttonFor(sayUndo, () => void restore(card, before));
    undo.setAttribute("aria-label", `${done}: ${title.textContent}. ${sayUndo}`);
    place.append(title, text, undo);
    card.replaceChildren(place);
    undo.focus();
  }

  async function restore(card, before) {
    if (card.ariaBusy) return;
    const root = rootOf(card);
    const { productId, variantId } = card.dataset;
    card.ariaBusy = "true";
    try {
      const added = await call(root, "add", { productId, variantId });
      keep(root, added, (saved) => include(saved, card.dataset));
      card.replaceChildren(...before);
      card.querySelector("[data-wishlist-remove] button")?.focus();
      say(root, root.dataset.sayRestored);
    } catch (error) {
      fail(root, error);
    }
    card.ariaBusy = null;
  }

  return { remove, rootOf, nameOf };
})();
