// What the browser knows of the shopper's list. The theme extension's script reads and writes the same.
window.wishlistStored ??= (() => {
  const KEY = "wishlist";
  /** What could not be stored (blocked, full): this page remembers it by itself. */
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
      // What can't be read counts as nothing.
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
      // The visit's pages at least share the guest. Stores are served over HTTPS, and browsers take a loopback address for secure as well.
      document.cookie = `wishlist_guest=${guest ?? ""}; Path=/; SameSite=Lax; Secure${guest ? "" : "; Max-Age=0"}`;
    }
    const { count, saved } = state;
    document.dispatchEvent(new CustomEvent("wishlist:change", { detail: { count, saved } }));
  }

  /** The root that is about to say what it has changed: it knows. */
  let writing;

  /** Keeps what an answer says. Of another owner than before, nothing is known any more. */
  function keep(root, { owner, itemCount }, change) {
    const state = read();
    if (state.owner !== owner) Object.assign(state, { owner, saved: {} });
    state.count = itemCount;
    change?.(state);
    root.dataset.count = itemCount;
    writing = root;
    write(state);
    writing = undefined;
    const total = root.querySelector("[data-wishlist-total]");
    const { sayOneItem, sayItems } = root.dataset;
    if (total) total.textContent = itemCount === 1 ? sayOneItem : sayItems.replace("[n]", itemCount);
  }

  return { KEY, read, keep, isKeeping: (root) => root === writing };
})();
