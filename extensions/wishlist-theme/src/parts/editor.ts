// Tells the merchant, in the theme's editor, where the theme gave no place for a heart or for the link. The live store never loads it.
import { every, setup } from "../page.ts";

/** Milliseconds after which hearts and link have come, if they come. */
const SETTLED = 3000;
/** Above the shopper's messages and the floating link, which are at the bottom. Apart from the theme's styles. */
const STYLE = `
:host { all: initial; position: fixed; z-index: 2147482000; inset: auto 16px 88px; max-width: 380px; }
p { display: flex; gap: 8px; margin: 8px 0 0; padding: 12px 4px 12px 16px; border: 1px solid #e1b878; border-radius: 8px; background: #fff1e3; color: #4a2d00; font: 14px/1.45 system-ui, sans-serif; box-shadow: 0 2px 10px #0003; }
button { all: unset; box-sizing: border-box; flex: none; width: 44px; height: 44px; margin: -12px 0; border-radius: 8px; font-size: 22px; text-align: center; cursor: pointer; }
button:focus-visible { outline: 2px solid; outline-offset: -4px; }`;

let shown: ShadowRoot | undefined;

function notice(name: "noCards" | "noHeader"): void {
  if (!setup(name) || isDismissed(name)) return;
  if (!shown) {
    const host = Object.assign(document.createElement("div"), { className: "whl-notices" });
    shown = host.attachShadow({ mode: "open" });
    shown.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
    document.body.append(host);
  }
  const box = Object.assign(document.createElement("p"), { role: "status" });
  const close = Object.assign(document.createElement("button"), {
    type: "button",
    textContent: "×",
    ariaLabel: setup("dismiss"),
  });
  close.addEventListener("click", () => {
    box.remove();
    dismiss(name);
  });
  box.append(setup(name), close);
  shown.append(box);
}

/** For the visit: the editor loads the page anew after each change. */
function dismiss(name: string): void {
  try {
    sessionStorage.setItem(`wishlist:${name}`, "off");
  } catch {
    // Without storage it comes back with the next page.
  }
}

function isDismissed(name: string): boolean {
  try {
    return sessionStorage.getItem(`wishlist:${name}`) !== null;
  } catch {
    return false;
  }
}

/** Whether the page shows products: links to several, each with a picture in it or near it. */
function hasProducts(): boolean {
  const paths = every<HTMLAnchorElement>('main a[href*="/products/"]')
    .filter((link) => link.closest(":has(img)")?.matches("main,body,html") === false)
    .map(({ pathname }) => pathname);
  return new Set(paths).size > 1;
}

setTimeout(() => {
  if (setup("cardsPart") && hasProducts() && !every(".whl-card")[0]) notice("noCards");
  if (setup("headerPart") && setup("header") !== "floating" && !every(".whl-counter:not(.whl-counter--floating)")[0]) {
    notice("noHeader");
  }
}, SETTLED);
