// Makes, sends, copies and ends the link to the list.
window.wishlistSharing ??= (() => {
  const { call } = window.wishlistApi;
  const { say, fail } = window.wishlistMessages;
  /** Set when a guest goes to log in so as to share. */
  const INTENT = "wishlist:share";

  function showLink(box, path) {
    box.querySelector("[data-share-open]").hidden = !path;
    box.querySelector('[data-share="start"]').hidden = Boolean(path);
    box.querySelector('[data-share="send"]').hidden = !navigator.share;
    box.querySelector("[data-share-link]").value = path ? location.origin + path : "";
  }

  async function share(button) {
    const root = button.closest("[data-wishlist-root]");
    const box = button.closest("[data-wishlist-share]");
    const { share: act } = button.dataset;
    const field = box.querySelector("[data-share-link]");
    if (box.ariaBusy) return;
    box.ariaBusy = "true";
    try {
      if (act === "start") {
        await open(root, box);
        await send(root, field.value);
      } else if (act === "send") {
        await send(root, field.value);
      } else if (act === "copy") {
        if (await copy(field)) say(root, root.dataset.sayCopied);
      } else {
        await call(root, "unshare", {});
        showLink(box, "");
        box.querySelector('[data-share="start"]').focus();
        say(root, root.dataset.sayStopped);
      }
    } catch (error) {
      fail(root, error);
    }
    box.ariaBusy = null;
  }

  /** Makes the link, if there is none, and shows it. */
  async function open(root, box) {
    showLink(box, new URL((await call(root, "share", {})).shareUrl).pathname);
    box.querySelector(navigator.share ? '[data-share="send"]' : '[data-share="copy"]').focus();
    say(root, root.dataset.sayShared);
  }

  /** Opens the system's own sheet. A shopper who closes it, or a browser that wants another press first, has the link on the page. */
  async function send(root, url) {
    await navigator.share?.({ title: root.dataset.shareTitle, url }).catch(() => undefined);
  }

  /** Selects the link at least, where the browser keeps its clipboard closed. */
  async function copy(field) {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      return true;
    } catch {
      return document.execCommand("copy");
    }
  }

  /** Remembers over the login, in this tab, that the guest wanted to share. */
  function rememberIntent() {
    try {
      sessionStorage.setItem(INTENT, "1");
    } catch {
      // Without storage, the customer presses Share after the login.
    }
  }

  /** Goes on with sharing after the login. A system sheet would need another press. */
  async function resume(root) {
    const box = root.querySelector("[data-wishlist-share]");
    try {
      if (!box || !sessionStorage.getItem(INTENT)) return;
      sessionStorage.removeItem(INTENT);
      await open(root, box);
    } catch (error) {
      fail(root, error);
    }
  }

  return { showLink, share, rememberIntent, resume };
})();
