// The page works without this for who is logged in; guests' lists are known to the browser alone, so theirs is filled in here.
(() => {
  // Whoever puts the page into another one runs its script again.
  if (window.wishlistPage) {
    window.wishlistPage();
    return;
  }
  const KEY = "wishlist";
  /** Milliseconds for which a message stays. */
  const STAYS = 8000;
  let clearing;
  let memory;
  let isOwnWrite = false;

  function guestOfVisit() {
    return /(?:^|; )wishlist_guest=([\w-]+)/.exec(document.cookie)?.[1] ?? null;
  }

  function read() {
    let raw;
    try {
      raw = localStorage.getItem(KEY);
    } catch {
      return memory ?? { v: 1, cid: null, owner: "", guest: guestOfVisit(), count: 0, saved: {} };
    }
    try {
      const known = JSON.parse(raw ?? "");
      if (known.v === 1 && known.saved) return known;
    } catch {
      // What can't be read counts as nothing.
    }
    return { v: 1, cid: null, owner: "", guest: null, count: 0, saved: {} };
  }

  function write(state) {
    try {
      localStorage.setItem(KEY, JSON.stringify(state));
    } catch {
      memory = state;
      if (!state.guest) document.cookie = "wishlist_guest=; Path=/; SameSite=Lax; Max-Age=0";
    }
    isOwnWrite = true;
    document.dispatchEvent(new CustomEvent("wishlist:change", { detail: { count: state.count, saved: state.saved } }));
    isOwnWrite = false;
  }

  /** Keeps what an answer says. Of another owner than before, nothing is known any more. */
  function keep(root, { owner, itemCount }, change) {
    const state = read();
    if (state.owner !== owner) Object.assign(state, { owner, saved: {} });
    state.count = itemCount;
    change?.(state);
    root.dataset.count = itemCount;
    write(state);
    const total = root.querySelector("[data-wishlist-total]");
    const { sayOneItem, sayItems } = root.dataset;
    if (total) total.textContent = itemCount === 1 ? sayOneItem : sayItems.replace("[n]", itemCount);
  }

  const rootOf = (element) => element.closest("[data-wishlist-root]");

  function say(root, message, more) {
    const status = root.querySelector("[data-wishlist-status]");
    clearTimeout(clearing);
    status.replaceChildren(message);
    if (more) status.append(" ", more);
    clearing = setTimeout(() => status.replaceChildren(), STAYS);
  }

  function fail(root, error) {
    // Somebody has logged in since, in another tab.
    if (error.status === 410) return location.reload();
    const { sayFailed, saySlowDown, sayFull } = root.dataset;
    say(root, { 409: sayFull, 429: saySlowDown }[error.status] ?? error.told ?? sayFailed);
  }

  async function request(root, path, body) {
    const { guest } = read();
    const guestId = root.dataset.owner === "guest" && guest ? { guestId: guest } : {};
    const response = await fetch(`${root.dataset.proxy}/api/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...guestId, ...body }),
    });
    if (!response.ok) throw Object.assign(new Error(), { status: response.status });
    return response;
  }

  async function ask(root, path, body) {
    return (await (await request(root, path, body)).json()).data;
  }

  async function load(root, page) {
    const html = await (await request(root, "page", { page })).text();
    const next = new DOMParser().parseFromString(html, "text/html").querySelector("[data-wishlist-root]");
    if (!next) throw new Error("not a page");
    next.dataset.started = "";
    root.replaceWith(next);
    void start(next);
    return next;
  }

  async function remove(form) {
    const root = rootOf(form);
    const card = form.closest("[data-wishlist-item]");
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
      const name = card.querySelector(".wl-name").textContent.trim();
      const before = [...card.childNodes];
      const place = document.createElement("div");
      place.className = "wl-undo";
      const [what, done, undo] = ["p", "p", "button"].map((tag) => document.createElement(tag));
      what.textContent = name;
      done.textContent = root.dataset.sayRemoved;
      undo.textContent = root.dataset.sayUndo;
      undo.type = "button";
      undo.className = "wl-link";
      undo.addEventListener("click", () => restore(card, before));
      place.append(what, done, undo);
      card.replaceChildren(place);
      undo.setAttribute("aria-label", `${root.dataset.sayRemoved}: ${name}. ${root.dataset.sayUndo}`);
      undo.focus();
    } catch (error) {
      fail(root, error);
    }
    card.ariaBusy = null;
  }

  async function restore(card, before) {
    const root = rootOf(card);
    const { productId, variantId, handle } = card.dataset;
    card.ariaBusy = "true";
    try {
      keep(root, await ask(root, "add", { productId, variantId }), ({ saved }) => {
        const entry = (saved[productId] ??= { v: [], ...(handle && { h: handle }) });
        if (!entry.v.includes(variantId)) entry.v.unshift(variantId);
      });
      card.replaceChildren(...before);
      card.querySelector("[data-wishlist-remove] button")?.focus();
    } catch (error) {
      fail(root, error);
    }
    card.ariaBusy = null;
  }

  async function putIntoCart(form) {
    const root = rootOf(form);
    const button = form.querySelector("button");
    if (button.ariaDisabled) return;
    const label = button.firstChild;
    const { sayAdd, sayAdding, sayAdded, sayViewCart } = root.dataset;
    const cart = form.action.replace(/\/add$/, "");
    button.ariaDisabled = "true";
    label.textContent = sayAdding;
    try {
      const items = [{ id: Number(new FormData(form).get("id")), quantity: 1 }];
      const response = await fetch(`${cart}/add.js`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({ items }),
      });
      if (!response.ok) {
        const { description } = await response.json().catch(() => ({}));
        throw Object.assign(new Error(), { told: description });
      }
      const link = Object.assign(document.createElement("a"), { href: cart, textContent: sayViewCart });
      label.textContent = sayAdded;
      say(root, sayAdded, link);
      await report(root, form.closest("[data-wishlist-item]").dataset, cart);
    } catch (error) {
      label.textContent = sayAdd;
      fail(root, error);
    }
    button.ariaDisabled = null;
  }

  /** Once for each variant and cart. A figure is not worth a message to the shopper. */
  async function report(root, { productId, variantId }, cart) {
    if (!root.dataset.owner) return;
    try {
      const { token } = await (await fetch(`${cart}.js`)).json();
      const eventId = String(token).replace(/.*\/|\?.*/g, "");
      await request(root, "cart", { eventId, items: [{ productId, variantId }] });
    } catch {
      // It is lost.
    }
  }

  function showLink(box, path) {
    box.querySelector("[data-share-open]").hidden = !path;
    box.querySelector('[data-share="start"]').hidden = Boolean(path);
    box.querySelector("[data-share-link]").value = path ? location.origin + path : "";
  }

  async function share(button) {
    const root = rootOf(button);
    const box = button.closest("[data-wishlist-share]");
    const field = box.querySelector("[data-share-link]");
    try {
      if (button.dataset.share === "start") {
        showLink(box, new URL((await ask(root, "share", {})).shareUrl).pathname);
        box.querySelector('[data-share="copy"]').focus();
      } else if (button.dataset.share === "copy") {
        field.select();
        await navigator.clipboard.writeText(field.value);
        say(root, root.dataset.sayCopied);
      } else {
        await ask(root, "unshare", {});
        showLink(box, "");
        box.querySelector('[data-share="start"]').focus();
        say(root, root.dataset.sayStopped);
      }
    } catch (error) {
      // Where the clipboard is closed to us, the link is selected.
      if (button.dataset.share !== "copy") fail(root, error);
    }
  }

  async function start(root) {
    const { owner, page, count, shell } = root.dataset;
    const box = root.querySelector("[data-wishlist-share]");
    if (box) {
      showLink(box, box.dataset.path);
      box.hidden = false;
    }
    if (!owner) return;
    const state = read();
    try {
      if (shell !== undefined && state.guest) {
        root.querySelector("[data-wishlist-waiting]").hidden = false;
        await load(root, Number(page) || 1);
      } else if (shell !== undefined) {
        root.querySelector("[data-wishlist-empty]").hidden = false;
      } else if (owner !== "guest" && state.guest) {
        const merged = await ask(root, "merge", { guestId: state.guest });
        keep(root, merged, (now) => Object.assign(now, { guest: null, saved: {} }));
        if (String(merged.itemCount) !== count) await load(root, 1);
      } else if (state.owner !== owner || String(state.count) !== count) {
        keep(root, { owner, itemCount: Number(count) });
      }
    } catch (error) {
      if (shell !== undefined) root.querySelector("[data-wishlist-waiting]").hidden = true;
      fail(root, error);
    }
  }

  /** The list was changed elsewhere, by a heart on the page or in another tab. */
  function follow() {
    if (isOwnWrite) return;
    for (const root of document.querySelectorAll("[data-wishlist-root][data-owner]")) {
      const { shell, count, page } = root.dataset;
      if (shell === undefined && String(read().count) !== count) void load(root, Number(page)).catch(() => undefined);
    }
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
    const root = link && rootOf(link);
    // A shared list is nobody's own, and its pages are pages of the store.
    if (!root?.dataset.owner || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    load(root, Number(link.dataset.wishlistTo)).then(
      (next) => {
        history.replaceState(null, "", `?page=${next.dataset.page}`);
        next.scrollIntoView();
        next.querySelector("[data-wishlist-title]").focus();
      },
      (error) => fail(root, error),
    );
  });
  document.addEventListener("wishlist:change", follow);
  addEventListener("storage", ({ key }) => {
    if (key === KEY) follow();
  });

  window.wishlistPage = () => {
    for (const root of document.querySelectorAll("[data-wishlist-root]:not([data-started])")) {
      root.dataset.started = "";
      void start(root);
    }
  };
  window.wishlistPage();
})();
