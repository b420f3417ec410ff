// Says to eyes and ears what happened.
window.wishlistSaying ??= (() => {
  /** Milliseconds for which a message stays. */
  const STAYS = 8000;
  let clearing;

  /** @param more a link or button to go on with */
  function say(root, message, more) {
    const status = root.querySelector("[data-wishlist-status]");
    const hadFocus = status.contains(document.activeElement);
    clearTimeout(clearing);
    status.replaceChildren(message);
    if (more) status.append(" ", more);
    if (more && hadFocus) more.focus();
    // A button is all that there is to go on with.
    if (!more?.matches("button")) clearing = setTimeout(() => clear(status), STAYS);
  }

  /** What somebody is about to press stays. */
  function clear(status) {
    if (!status.contains(document.activeElement)) status.replaceChildren();
  }

  /** @param again does it once more, where the page has nothing else to offer */
  function fail(root, { code, wait, told }, again) {
    // The page was made for somebody who has logged in or out since, in another tab, or in a store that kept guests' lists.
    if (["login_required", "guest_folded", "guest_lists_off"].includes(code)) return location.reload();
    const { sayFailed, sayNotLoaded, saySlowDown, sayFull, saySharingOff, sayGoneProduct, sayAgain } = root.dataset;
    const known = {
      rate_limited: saySlowDown.replace("[n]", wait),
      wishlist_full: sayFull,
      plan_required: saySharingOff,
      product_not_found: sayGoneProduct,
    };
    const button = again && buttonFor(sayAgain, again);
    say(root, known[code] ?? told ?? (again ? sayNotLoaded : sayFailed), button);
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

  return { say, fail, buttonFor };
})();
