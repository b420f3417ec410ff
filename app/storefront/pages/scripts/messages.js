// Tells shoppers, on the screen and to screen readers, what happened.
window.wishlistMessages ??= (() => {
  /** Milliseconds for which a message stays. */
  const STAYS = 8000;
  /** Timers that clear the messages: a page may have several lists. */
  const clearing = new WeakMap();

  /** @param more a link or button to go on with */
  function say(root, message, more) {
    const status = root.querySelector("[data-wishlist-status]");
    const hadFocus = status.contains(document.activeElement);
    clearTimeout(clearing.get(status));
    status.replaceChildren(message);
    if (more) status.append(" ", more);
    if (more && hadFocus) more.focus();
    // A message with a button stays: the page offers nothing else.
    if (more?.matches("button")) return;
    clearing.set(
      status,
      setTimeout(() => clear(status), STAYS),
    );
  }

  /** A message whose link or button has the focus stays. */
  function clear(status) {
    if (!status.contains(document.activeElement)) status.replaceChildren();
  }

  /** @param again repeats the failed request, where the page offers no other way */
  function fail(root, { code, wait, told }, again) {
    // The page was made for a shopper who has logged in or out since, in another tab, or in a store that kept guests' lists.
    if (["login_required", "guest_folded", "guest_lists_off"].includes(code)) return location.reload();
    const { sayFailed, sayNotLoaded, saySlowDown, sayFull, saySharingOff, sayGoneProduct, sayAgain } = root.dataset;
    const known = {
      rate_limited: saySlowDown.replace("[n]", wait),
      wishlist_full: sayFull,
      plan_required: saySharingOff,
      product_not_found: sayGoneProduct,
    };
    // A double click repeats it once: a second try begins with the next message.
    const button = again && buttonFor(sayAgain, again, { once: true });
    say(root, known[code] ?? told ?? (again ? sayNotLoaded : sayFailed), button);
  }

  /** @param options for the listener */
  function buttonFor(label, act, options) {
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      className: "wl-link",
      textContent: label,
    });
    button.addEventListener("click", act, options);
    return button;
  }

  return { say, fail, buttonFor };
})();
