import { describe } from "./element-keys.ts";

const STYLE = `
dialog { width: min(38rem, calc(100vw - 2rem)); padding: 0; border: 0; border-radius: 12px; box-shadow: 0 12px 40px rgb(0 0 0 / .3); font: 14px/1.5 system-ui, sans-serif; }
dialog.small { width: min(24rem, calc(100vw - 2rem)); } dialog.large { width: min(60rem, calc(100vw - 2rem)); } dialog.max { width: calc(100vw - 2rem); height: calc(100vh - 2rem); }
dialog::backdrop { background: rgb(0 0 0 / .5); }
header { display: flex; justify-content: space-between; align-items: center; padding: 12px 16px; background: #f3f3f3; font-weight: 600; }
footer { display: flex; justify-content: flex-end; gap: 8px; padding: 12px 16px; border-top: 1px solid #e3e3e3; }
footer:empty { display: none; }
button { min-height: 32px; padding: 4px 12px; border: 1px solid #b5b5b5; border-radius: 8px; background: #fff; font: inherit; font-weight: 550; cursor: pointer; }
button.primary { background: #303030; border-color: #303030; color: #fff; } button.primary.critical { background: #c70a24; border-color: #c70a24; }
button[disabled] { opacity: .5; cursor: default; }
header button { border: 0; background: none; font-size: 18px; }
iframe { display: block; width: 100%; height: 26rem; border: 0; }
::slotted(ui-title-bar) { display: none !important; }
`;

/**
 * Implements `ui-modal`. Shopify shows it over the whole admin in a separate frame; here it covers the app's frame, and its
 * content stays in the app's document.
 */
class UiModal extends HTMLElement {
  private readonly dialog = document.createElement("dialog");
  private readonly heading = document.createElement("span");
  private readonly footer = document.createElement("footer");
  /** the actions of the footer's buttons */
  private shown = "";

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = STYLE;
    const header = document.createElement("header");
    const close = document.createElement("button");
    close.textContent = "×";
    close.ariaLabel = "Close";
    close.addEventListener("click", () => void this.hide());
    header.append(this.heading, close);
    this.heading.id = "heading";
    this.dialog.setAttribute("aria-labelledby", "heading");
    this.dialog.append(header, this.body(), this.footer);
    this.dialog.addEventListener("close", () => this.dispatchEvent(new Event("hide")));
    root.append(style, this.dialog);
    new MutationObserver(() => this.update()).observe(this, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  }

  private body(): HTMLElement {
    const body = document.createElement("div");
    body.append(document.createElement("slot"));
    return body;
  }

  private update(): void {
    const bar = this.querySelector("ui-title-bar");
    this.heading.textContent = bar?.getAttribute("title") ?? "";
    this.dialog.className = this.getAttribute("variant") ?? "base";
    const controls = [...(bar?.querySelectorAll<HTMLElement>("button, a") ?? [])];
    const actions = JSON.stringify(controls.map(describe));
    // A button that is replaced while it is pressed loses the click.
    if (actions === this.shown) return;
    this.shown = actions;
    this.footer.replaceChildren(
      ...controls.toReversed().map((control) => {
        const { label, primary, critical, disabled, loading } = describe(control);
        const button = document.createElement("button");
        button.textContent = label;
        button.disabled = disabled || loading;
        button.classList.toggle("primary", primary);
        button.classList.toggle("critical", critical);
        button.addEventListener("click", () => control.click());
        return button;
      }),
    );
  }

  async show(): Promise<void> {
    const src = this.getAttribute("src");
    if (src !== null && this.dialog.querySelector("iframe") === null) {
      const frame = document.createElement("iframe");
      frame.src = src;
      this.footer.before(frame);
    }
    this.update();
    if (!this.dialog.open) this.dialog.showModal();
    this.dispatchEvent(new Event("show"));
  }

  async hide(): Promise<void> {
    this.dialog.close();
  }

  async toggle(): Promise<void> {
    await (this.dialog.open ? this.hide() : this.show());
  }
}

export function defineModal(): void {
  if (customElements.get("ui-modal") === undefined) customElements.define("ui-modal", UiModal);
}

function modalOf(id: string): UiModal {
  const modal = document.querySelector(`#${CSS.escape(id)}`);
  if (!(modal instanceof UiModal)) throw new Error(`There is no ui-modal with the id "${id}"`);
  return modal;
}

/** Shopify's admin controls modals by message, so the app's frame renders before the modal changes. */
async function whenRendered(id: string): Promise<UiModal> {
  const modal = modalOf(id);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return modal;
}

export const modalApi = {
  show: async (id: string) => (await whenRendered(id)).show(),
  hide: async (id: string) => (await whenRendered(id)).hide(),
  toggle: async (id: string) => (await whenRendered(id)).toggle(),
};
