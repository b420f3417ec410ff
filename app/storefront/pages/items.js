// Takes an item out of the list, and puts it back.
window.wishlistItems ??= (() => {
  const { read, keep } = window.wishlistStored;
  const { ask } = window.wishlistAsking;
  const { say, fail, buttonFor } = window.wishlistSaying;

  async function remove(form) {
    const root = form.closest("[data-wishlist-root]");
    const card = form.closest("[data-wishlist-item]");
    if (card.ariaBusy) return;
    const { productId, variantId } = card.dataset;
    // Hearts on product cards know the handle alone: undoing has to bring it back.
    card.dataset.handle = read().saved[productId]?.h ?? card.dataset.handle ?? "";
    card.ariaBusy = "true";
    try {
      keep(root, await ask(root, "remove", { productId, variantId }), ({ saved }) => {
        const left = (saved[productId]?.v ?? []).filter((one) => one !== variantId);
        if (left.length > 0) saved[productId].v = left;
        else Reflect.deleteProperty(saved, productId);
      });
      offerUndo(root, card);
    } catch (error) {
      fail(root, error);
    }
    card.ariaBusy = null;
  }

  function offerUndo(root, card) {
    const { sayRemoved, sayUndo } = root.dataset;
    const before = [...card.childNodes];
    const place = Object.assign(document.createElement("div"), { className: "wl-undo" });
    const [what, done] = ["p", "p"].map((tag) => document.createElement(tag));
    what.textContent = card.querySelector(".wl-name").textContent.trim();
    done.textContent = sayRemoved;
    const undo = buttonFor(sayUndo, () => void restore(card, before));
    undo.setAttribute("aria-label", `${sayRemoved}: ${what.textContent}. ${sayUndo}`);
    place.append(what, done, undo);
    card.replaceChildren(place);
    undo.focus();
  }

  async function restore(card, before) {
    if (card.ariaBusy) return;
    const root = card.closest("[data-wishlist-root]");
    const { productId, variantId, handle } = card.dataset;
    card.ariaBusy = "true";
    try {
      keep(root, await ask(root, "add", { productId, variantId }), ({ saved }) => {
        const entry = (saved[productId] ??= { v: [], ...(handle && { h: handle }) });
        if (!entry.v.includes(variantId)) entry.v.unshift(variantId);
      });
      card.replaceChildren(...before);
      card.querySelector("[data-wishlist-remove] button")?.focus();
      say(root, root.dataset.sayRestored);
    } catch (error) {
      fail(root, error);
    }
    card.ariaBusy = null;
  }

  return { remove };
})();
