// The page works without this for who is logged in; guests' lists are known to the browser alone, so theirs is filled in here.
(() => {
  // Whoever puts the page into another one runs its script again.
  if (window.wishlistPage) {
    window.wishlistPage();
    return;
  }
  const { KEY, read, keep, isKeeping } = window.wishlistStored;
  const { request, ask } = window.wishlistAsking;
  const { fail } = window.wishlistSaying;
  const { remove } = window.wishlistItems;
  const { putIntoCart } = window.wishlistCart;
  const { showLink, share } = window.wishlistSharing;

  /** Puts a page of the list, as it is now, in the place of what is there. */
  async function load(root, page) {
    // Somebody else has put another in its place.
    if (!root.isConnected) return root;
    root.dataset.loading = "";
    try {
      const html = await (await request(root, "page", { page, heading: Number(root.dataset.heading) })).text();
      const next = new DOMParser().parseFromString(html, "text/html").querySelector("[data-wishlist-root]");
      if (!next) throw new Error("not a page");
      next.dataset.started = "";
      if (!root.isConnected) return root;
      const hadFocus = root.contains(document.activeElement);
      root.replaceWith(next);
      if (hadFocus) next.querySelector("[data-wishlist-title]").focus({ preventScroll: true });
      // The list was changed while this page of it was on its way.
      if ("stale" in root.dataset) return await load(next, page);
      void start(next);
      return next;
    } finally {
      delete root.dataset.loading;
    }
  }

  async function start(root) {
    const { owner, count, shell } = root.dataset;
    const box = root.querySelector("[data-wishlist-share]");
    if (box) {
      showLink(box, box.dataset.path);
      box.hidden = false;
    }
    if (!owner) return;
    const state = read();
    if (shell !== undefined) {
      if (state.guest) await fill(root);
      else root.querySelector("[data-wishlist-empty]").hidden = false;
    } else if (owner !== "guest" && state.guest) {
      await takeOver(root, state.guest);
    } else if (state.owner !== owner || String(state.count) !== count) {
      keep(root, { owner, itemCount: Number(count) });
    }
  }

  /** Shows a guest's list, which the page came without. */
  async function fill(root) {
    const waiting = root.querySelector("[data-wishlist-waiting]");
    root.querySelector("[data-wishlist-empty]").hidden = true;
    waiting.hidden = false;
    try {
      await load(root, Number(root.dataset.page) || 1);
    } catch (error) {
      waiting.hidden = true;
      fail(root, error, () => void fill(root));
    }
  }

  /** Folds the list of the guest who has logged in into the customer's. */
  async function takeOver(root, guest) {
    const { count } = root.dataset;
    try {
      const merged = await ask(root, "merge", { guestId: guest });
      keep(root, merged, (state) => {
        if (state.guest === guest) state.guest = null;
      });
      if (String(merged.itemCount) !== count) await load(root, 1);
    } catch (error) {
      fail(root, error);
    }
  }

  /** Lists of the shopper's own: a shared one is nobody's. */
  const ownRoots = () => document.querySelectorAll("[data-wishlist-root][data-owner]");

  /** The list was changed elsewhere, by a heart on the page or in another tab, or it is another shopper's now. */
  function follow(detail) {
    const { owner, guest, count } = { ...read(), ...detail };
    for (const root of ownRoots()) {
      const shown = root.dataset;
      const isShown =
        shown.shell === undefined ? String(count) === shown.count && (!owner || owner === shown.owner) : !guest;
      if (isKeeping(root) || isShown) continue;
      if ("loading" in shown) shown.stale = "";
      else if (shown.shell === undefined) void load(root, Number(shown.page)).catch(() => undefined);
      else void fill(root);
    }
  }

  async function turnTo(root, page) {
    const next = await load(root, page);
    next.scrollIntoView();
    next.querySelector("[data-wishlist-title]").focus({ preventScroll: true });
    return next.dataset.page;
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const act = form.matches("[data-wishlist-remove]")
      ? remove
      : form.matches("[data-wishlist-cart]")
        ? putIntoCart
        : undefined;
    if (!act) return;
    event.preventDefault();
    void act(form);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-share]");
    if (button) void share(button);
    const link = event.target.closest?.("[data-wishlist-to]");
    const root = link?.closest("[data-wishlist-root]");
    // The pages of a shared list are pages of the store.
    if (!root?.dataset.owner || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if ("loading" in root.dataset) return;
    turnTo(root, Number(link.dataset.wishlistTo)).then(
      (page) => {
        const address = new URL(location.href);
        address.searchParams.set("page", page);
        history.pushState(null, "", address);
      },
      (error) => fail(root, error),
    );
  });
  addEventListener("popstate", () => {
    const page = new URL(location.href).searchParams.get("page") ?? "1";
    for (const root of ownRoots()) {
      if (root.dataset.page !== page) turnTo(root, Number(page) || 1).catch((error) => fail(root, error));
    }
  });
  document.addEventListener("wishlist:change", ({ detail }) => follow(detail));
  addEventListener("storage", ({ key }) => {
    if (key === KEY) follow();
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted || ownRoots().length === 0) return;
    // A page from the browser's memory is its last visitor's, who may have logged out since.
    for (const root of ownRoots()) root.remove();
    location.reload();
  });

  window.wishlistPage = () => {
    for (const root of document.querySelectorAll("[data-wishlist-root]:not([data-started])")) {
      root.dataset.started = "";
      void start(root);
    }
  };
  window.wishlistPage();
})();
