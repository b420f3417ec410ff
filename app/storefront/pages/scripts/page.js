// The page works without this for customers. Guests' lists are known to the browser alone, so theirs is filled in here.
(() => {
  // A script that puts the page into another one runs this again.
  if (window.wishlistPage) {
    window.wishlistPage();
    return;
  }
  const { KEY, read, keep, isKeeping } = window.wishlistStorage;
  const { call } = window.wishlistApi;
  const { fail } = window.wishlistMessages;
  const { remove, rootOf } = window.wishlistItems;
  const { viewOf, titleOf, load } = window.wishlistLoading;
  const { change } = window.wishlistVariants;
  const { addOne, addAll } = window.wishlistBuying;
  const { showLink, share, rememberIntent, resume } = window.wishlistSharing;
  const { dress } = window.wishlistAppearance;

  async function start(root) {
    const { owner, count, shell } = root.dataset;
    dress(root);
    leadBack(root);
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
      return;
    }
    if (owner !== "guest" && state.guest) return takeOver(root, state.guest);
    if (state.owner !== owner || String(state.count) !== count) keep(root, { owner, itemCount: Number(count) });
    void resume(root);
    const host = root.closest("[data-wishlist-page]");
    const { sort, available } = viewInAddress();
    const shown = viewOf(root);
    // The theme's page was filled without regard to the order and filter in its address.
    if (host && !host.dataset.viewed && (sort !== shown.sort || available !== shown.available)) {
      host.dataset.viewed = "";
      await show(root, viewInAddress());
    }
  }

  /** Links to the login lead back to this page. */
  function leadBack(root) {
    for (const link of root.querySelectorAll("[data-wishlist-log-in]")) {
      const address = new URL(link.href);
      const isNewAccounts = address.pathname.includes("/customer_authentication/");
      address.searchParams.set(isNewAccounts ? "return_to" : "return_url", location.pathname + location.search);
      link.href = address;
    }
  }

  /** Shows a guest's list, which the page came without. */
  async function fill(root) {
    const waiting = root.querySelector("[data-wishlist-waiting]");
    root.querySelector("[data-wishlist-empty]").hidden = true;
    waiting.hidden = false;
    try {
      await load(root);
    } catch (error) {
      waiting.hidden = true;
      fail(root, error, () => void fill(root));
    }
  }

  /** Loads what the list is now; on failure the shopper can try again. */
  async function refresh(root) {
    try {
      await load(root);
    } catch (error) {
      fail(root, error, () => void refresh(root));
    }
  }

  /** Merges the list of the guest who has logged in into the customer's. */
  async function takeOver(root, guest) {
    const { count } = root.dataset;
    try {
      const merged = await call(root, "merge", { guestId: guest });
      keep(root, merged, (_saved, state) => {
        if (state.guest === guest) state.guest = null;
      });
      if (String(merged.itemCount) === count) void resume(root);
      else await load(root, { ...viewOf(root), page: 1 });
    } catch (error) {
      fail(root, error, () => void takeOver(root, guest));
    }
  }

  /** Lists of the shopper's own: a shared one is its owner's. */
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
      else if (shown.shell === undefined) void refresh(root);
      else void fill(root);
    }
  }

  function viewInAddress() {
    return viewOfFields(new URL(location.href).searchParams);
  }

  /** @param fields of the form or the address */
  function viewOfFields(fields) {
    const [page, sort, available] = ["page", "sort", "available"].map((name) => fields.get(name));
    // The order that needs no mention.
    const order = sort !== "newest" && sort;
    return { page: Number(page) || 1, ...(order && { sort }), ...(available && { available: true }) };
  }

  /** Shows a page, order or filter, and puts it into the address, so that going back leads to what was shown before. */
  async function go(root, view) {
    if ("loading" in root.dataset) return;
    const next = await show(root, view);
    if (!next) return;
    const { page, sort, available } = viewOf(next);
    const address = new URL(location.href);
    for (const [name, value] of Object.entries({ page: page > 1 && page, sort, available: available && 1 })) {
      if (value) address.searchParams.set(name, value);
      else address.searchParams.delete(name);
    }
    if (address.href !== location.href) history.pushState(null, "", address);
  }

  /** @returns the new root; undefined when it could not be loaded */
  async function show(root, view) {
    const before = viewOf(root);
    const { name } = document.activeElement;
    try {
      const next = await load(root, view);
      const field = view.page === 1 && name && next.querySelector(`[data-wishlist-view] [name="${name}"]`);
      if (field) {
        field.focus({ preventScroll: true });
      } else if (before.page !== viewOf(next).page || next.contains(document.activeElement)) {
        next.scrollIntoView();
        titleOf(next).focus({ preventScroll: true });
      }
      return next;
    } catch (error) {
      root.querySelector("form[data-wishlist-view]")?.reset();
      fail(root, error, () => void go(root, view));
      return undefined;
    }
  }

  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    const { wishlistRemove, wishlistCart, wishlistView } = form.dataset;
    if ([wishlistRemove, wishlistCart, wishlistView].every((one) => one === undefined)) return;
    event.preventDefault();
    if (wishlistRemove !== undefined) {
      void remove(form.closest("[data-wishlist-item]"), rootOf(form).dataset.sayRemoved);
    } else if (wishlistCart !== undefined) {
      void addOne(form, submitter ?? form.querySelector("button"));
    } else {
      void go(rootOf(form), viewOfFields(new FormData(form)));
    }
  });
  document.addEventListener("change", ({ target }) => {
    if (target.matches("[data-wishlist-variant]")) void change(target);
    const form = target.closest("form[data-wishlist-view]");
    if (form) void go(rootOf(form), viewOfFields(new FormData(form)));
  });
  document.addEventListener("click", (event) => {
    const pressed = (selector) => event.target.closest?.(selector);
    const button = pressed("[data-share]");
    if (button) void share(button);
    const all = pressed("[data-wishlist-add-all]");
    if (all) void addAll(all);
    if (pressed("[data-share-intent]")) rememberIntent();
    const link = pressed("[data-wishlist-to]");
    const root = link && rootOf(link);
    // The pages of a shared list are pages of the store.
    if (!root?.dataset.owner || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { sort, available } = viewOf(root);
    const { wishlistTo: page } = link.dataset;
    void go(root, {
      ...(sort && { sort }),
      ...(page !== "all" && available && { available }),
      page: Number(page) || 1,
    });
  });
  addEventListener("popstate", () => {
    const view = viewInAddress();
    for (const root of ownRoots()) {
      const shown = viewOf(root);
      if (["page", "sort", "available"].some((name) => view[name] !== shown[name])) void show(root, view);
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
