// Tells the merchant, in the theme editor, that no place was found for hearts or for the header link. The live store never loads it.
import { create } from "../../shared/create.ts";
import { recall, remember } from "../../shared/session.ts";
import { every } from "../dom.ts";

const { setup } = wishlistCore;

/** Milliseconds after which hearts and link are in the page, if at all. */
const SETTLED = 3000;
/** The notices lie above the shopper's messages and the floating link. A shadow root keeps the theme's styles away. */
const STYLE = `
:host { all: initial; position: fixed; z-index: 2147482000; inset: auto 16px 88px; max-width: 380px; }
p { display: flex; gap: 8px; margin: 8px 0 0; padding: 12px 4px 12px 16px; border: 1px solid #e1b878; border-radius: 8px; background: #fff1e3; color: #4a2d00; font: 14px/1.45 system-ui, sans-serif; box-shadow: 0 2px 10px #0003; }
button { all: unset; box-sizing: border-box; flex: none; width: 44px; height: 44px; margin: -12px 0; border-radius: 8px; font-size: 22px; text-align: center; cursor: pointer; }
button:focus-visible { outline: 2px solid; outline-offset: -4px; }`;

let shown: ShadowRoot | undefined;

function notice(name: "noCards" | "noHeader"): void {
  if (!setup(name) || recall(keyOf(name))) return;
  if (!shown) {
    const host = create("div", { className: "whl-notices" });
    shown = host.attachShadow({ mode: "open" });
    shown.append(create("style", { textContent: STYLE }));
    document.body.append(host);
  }
  const box = create("p", { role: "status" });
  const close = create("button", {
    type: "button",
    textContent: "×",
    ariaLabel: setup("dismiss"),
  });
  close.addEventListener("click", () => {
    box.remove();
    // For the visit: the editor reloads the page after each change.
    remember(keyOf(name), "off");
  });
  box.append(setup(name), close);
  shown.append(box);
}

function keyOf(name: string): string {
  return `wishlist:${name}`;
}

/** Tells whether the page shows products: links to several, each with a picture in it or near it. */
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
