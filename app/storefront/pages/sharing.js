// Makes, copies and ends the link to the list.
window.wishlistSharing ??= (() => {
  const { ask } = window.wishlistAsking;
  const { say, fail } = window.wishlistSaying;

  function showLink(box, path) {
    box.querySelector("[data-share-open]").hidden = !path;
    box.querySelector('[data-share="start"]').hidden = Boolean(path);
    box.querySelector("[data-share-link]").value = path ? location.origin + path : "";
  }

  async function share(button) {
    const root = button.closest("[data-wishlist-root]");
    const box = button.closest("[data-wishlist-share]");
    if (box.ariaBusy) return;
    box.ariaBusy = "true";
    try {
      if (button.dataset.share === "start") {
        showLink(box, new URL((await ask(root, "share", {})).shareUrl).pathname);
        box.querySelector('[data-share="copy"]').focus();
        say(root, root.dataset.sayShared);
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

  return { showLink, share };
})();
