// Loads a page of the list and puts it in the place of the page that is shown.
window.wishlistLoading ??= (() => {
  const { request } = window.wishlistApi;

  /** The page number, order and filter that a root shows. */
  function viewOf({ dataset }) {
    const { page, sort, available } = dataset;
    return { page: Number(page) || 1, ...(sort && { sort }), ...(available && { available: true }) };
  }

  /** Receives the focus when the list was replaced. */
  const titleOf = (root) => root.querySelector("[data-wishlist-title]") ?? root;

  /** @returns the root that is shown then */
  async function load(root, view = viewOf(root)) {
    // Another script has replaced the root.
    if (!root.isConnected) return root;
    root.dataset.loading = "";
    try {
      const html = await (await request(root, "page", { ...view, heading: Number(root.dataset.heading) })).text();
      const next = new DOMParser().parseFromString(html, "text/html").querySelector("[data-wishlist-root]");
      if (!next) throw new Error("not a page");
      if (!root.isConnected) return root;
      const hadFocus = root.contains(document.activeElement);
      const isStale = "stale" in root.dataset;
      root.replaceWith(next);
      if (hadFocus) titleOf(next).focus({ preventScroll: true });
      // The list was changed while this page of it was on its way.
      if (isStale) return await load(next, view);
      window.wishlistPage();
      return next;
    } finally {
      delete root.dataset.loading;
    }
  }

  return { viewOf, titleOf, load };
})();
