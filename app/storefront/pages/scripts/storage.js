// What the browser knows of the shopper's list. The theme extension's script reads and writes the same.
window.wishlistStorage ??= (() => {
  const KEY = "wishlist";
  /** State that the browser refused to store (blocked, full): this page keeps it in memory. */
  let memory;

  function guestOfVisit() {
    return /(?:^|; )wishlist_guest=([\w-]+)/.exec(document.cookie)?.[1] ?? null;
  }

  function read() {
    // Where there is no storage, another script may have begun a guest's list meanwhile.
    if (memory) return { ...memory, guest: memory.guest ?? guestOfVisit() };
    try {
      const known = JSON.parse(localStorage.getItem(KEY) ?? "");
      if (known.v === 1 && known.saved) return known;
    } catch {
      // Unreadable state counts as none.
    }
    return { v: 1, cid: null, owner: "", guest: guestOfVisit(), count: 0, saved: {} };
  }

  function write(state) {
    memory = state;
    try {
      localStorage.setItem(KEY, JSON.stringify(state));
      memory = undefined;
    } catch {
      const { guest } = state;
      // The visit's pages at least share the guest. Stores are served over HTTPS, and browsers treat a loopback address as secure as well.
      document.cookie = `wishlist_guest=${guest ?? ""}; Path=/; SameSite=Lax; Secure${guest ? "" : "; Max-Age=0"}`;
    }
    const { count, saved } = state;
    document.dispatchEvent(new CustomEvent("wishlist:change", { detail: { count, saved } }));
  }

  /** The root that made the change which is being written: it shows the change itself. */
  let writing;

  /** Keeps what a response says. A response for another owner replaces all that was known. */
  function keep(root, { owner, itemCount }, change) {
    const state = read();
    if (state.owner !== owner) Object.assign(state, { owner, saved: {} });
    state.count = itemCount;
    change?.(state.saved, state);
    root.dataset.count = itemCount;
    writing = root;
    write(state);
    writing = undefined;
    const total = root.querySelector("[data-wishlist-total]");
    const { sayOneItem, sayItems } = root.dataset;
    if (total) total.textContent = itemCount === 1 ? sayOneItem : sayItems.replace("[n]", itemCount);
  }

  /** Hearts on product cards know the handle alone, so it is stored beside the variants. */
  function include(saved, { productId, variantId, handle }) {
    const entry = (saved[productId] ??= { v: [], ...(handle && { h: handle }) });
    if (!entry.v.includes(variantId)) entry.v.unshift(variantId);
  }

  function exclude(saved, { productId, variantId }) {
    const left = (saved[productId]?.v ?? []).filter((one) => one !== variantId);
    if (left.length > 0) saved[productId].v = left;
    else Reflect.deleteProperty(saved, productId);
  }

  return { KEY, read, keep, include, exclude, isKeeping: (root) => root === writing };
})();
