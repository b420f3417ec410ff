// The page works without this for who is logged in; guests' lists are known to the browser alone, so theirs is filled in here.
(() => {
  // Whoever puts the page into another one runs its script again.
  if (window.wishlistPage) {
    window.wishlistPage();
    return;
  }
  const stored = window.wishlistStored;
  /** Milliseconds for which a message stays. */
  const STAYS = 8000;
  /** Milliseconds after which a request counts as failed. */
  const PATIENCE = 20_000;
  /** Seconds to wait where nobody says how many. */
  const WAIT = "60";
  let clearing;
  /** The root that is about to say what it has changed: it knows. */
  let writing;

  const rootOf = (element) => element.closest("[data-wishlist-root]");

  /** Keeps what an answer says. Of another owner than before, nothing is known any more. */
  function keep(root, { owner, itemCount }, change) {
    const state = stored.read();
    if (state.owner !== owner) Object.assign(state, { owner, saved: {} });
    state.count = itemCount;
    change?.(state);
    root.dataset.count = itemCount;
    writing = root;
    stored.write(state);
    writing = undefined;
    const total = root.querySelector("[data-wishlist-total]");
    const { sayOneItem, sayItems } = root.dataset;
    if (total) total.textContent = itemCount === 1 ? sayOneItem : sayItems.replace("[n]", itemCount);
  }

  /** @param more a link or button to go on with */
  function say(root, message, more) {
    const status = root.querySelector("[data-wishlist-status]");
    const hadFocus = status.contains(document.activeElement);
    clearTimeout(clearing);
    status.replaceChildren(message);
    if (more) status.append(" ", more);
    if (more && hadFocus) more.focus();
    // A button is all that there is to go on with.
    if (!more?.matches("button")) clearing = setTimeout(() => status.replaceChildren(), STAYS);
  }

  /** @param again does it once more, where the page has nothing else to offer */
  function fail(root, { code, wait, told }, again) {
    // The page was made for somebody who has logged in or out since, in another tab.
    if (code === "login_required" || code === "guest_folded") return location.reload();
    const { sayFailed, saySlowDown, sayFull, saySharingOff, sayGoneProduct, sayAgain } = root.dataset;
    const known = {
      rate_limited: saySlowDown.replace("[n]", wait),
      wishlist_full: sayFull,
      plan_required: saySharingOff,
      product_not_found: sayGoneProduct,
    };
    const button = again && buttonFor(sayAgain, again);
    say(root, known[code] ?? told ?? sayFailed, button);
  }

  function buttonFor(label, act) {
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      className: "wl-link",
      textContent: label,
    });
    button.addEventListener("click", act);
    return button;
  }

  async function request(root, path, body) {
    const { guest } = stored.read();
    const guestId = root.dataset.owner === "guest" && guest ? { guestId: guest } : {};
    const response = await fetch(`${root.dataset.proxy}/api/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...guestId, ...body }),
      signal: window.AbortSignal.timeout(PATIENCE),
    });
    if (!response.ok) {
      const said = await response.json().catch(() => undefined);
      const wait = response.headers.get("retry-after") ?? WAIT;
      throw Object.assign(new Error(), { code: said?.error?.code, wait });
    }
    return response;
  }

  async function ask(root, path, body) {
    return (await (await request(root, path, body)).json()).data;
  }

  /** Puts a page of the list, as it is now, in the place of what is there. */
  async function load(root, page) {
    // Somebody else has put another in its place.
    if (!root.isConnected) return root;
    root.dataset.loading = "";
    try {
      const html = await (await request(root, "page", { page })).text();
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

  async function remove(form) {
    const root = rootOf(form);
    const card = form.closest("[data-wishlist-item]");
    if (card.ariaBusy) return;
    const { productId, variantId } = card.dataset;
    // Hearts on product cards know the handle alone: undoing has to bring it back.
    card.dataset.handle = stored.read().saved[productId]?.h ?? card.dataset.handle ?? "";
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
        const said = await response.json().catch(() => undefined);
        throw Object.assign(new Error(), { told: said?.description });
      }
      const link = Object.assign(document.createElement("a"), { href: cart, textContent: sayViewCart });
      label.textContent = sayAdded;
      say(root, sayAdded, link);
      void report(root, form.closest("[data-wishlist-item]").dataset, cart);
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
    if (box.ariaBusy) return;
    box.ariaBusy = "true";
    try {
      if (button.dataset.share === "start") {
        showLink(box, new URL((await ask(root, "share", {})).shareUrl).pathname);
        box.querySelector('[data-share="copy"]').focus();
      } else if (button.dataset.share === "copy") {
        if (await copy(box.querySelector("[data-share-link]"))) say(root, root.dataset.sayCopied);
      } else {
        await ask(root, "unshare", {});
        showLink(box, "");
        box.querySelector('[data-share="start"]').focus();
        say(root, root.dataset.sayStopped);
      }
    } catch (error) {
      fail(root, error);
    }
    box.ariaBusy = null;
  }

  /** Where the clipboard is closed to us, the link is selected at least. */
  async function copy(field) {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      return true;
    } catch {
      return document.execCommand("copy");
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
    const state = stored.read();
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
    const { owner, guest, count } = { ...stored.read(), ...detail };
    for (const root of ownRoots()) {
      const shown = root.dataset;
      const isShown =
        shown.shell === undefined ? String(count) === shown.count && (!owner || owner === shown.owner) : !guest;
      if (root === writing || isShown) continue;
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
    const root = link && rootOf(link);
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
    if (key === stored.KEY) follow();
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
