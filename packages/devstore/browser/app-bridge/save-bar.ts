import { describe } from "./element-keys.ts";
import type { Channel } from "./channel.ts";

export interface SaveBars {
  show: (id: string) => Promise<void>;
  hide: (id: string) => Promise<void>;
  toggle: (id: string) => Promise<void>;
  leaveConfirmation: () => Promise<void>;
  define: () => void;
}

/** React renders a true property as "true", HTML as "". */
function confirmsDiscard(owner: Element): boolean {
  const value = owner.getAttribute("discardConfirmation") ?? owner.getAttribute("data-discard-confirmation");
  return value !== null && value !== "false";
}

/** Implements `ui-save-bar` and forms with `data-save-bar`, which show the bar while they have unsaved changes. */
export function createSaveBars(channel: Channel): SaveBars {
  let shown: Element | undefined;

  function show(owner: Element, save: HTMLElement | undefined, discard: HTMLElement | undefined): void {
    shown = owner;
    channel.sendChange({
      type: "saveBar",
      shown: true,
      save: save === undefined ? undefined : describe(save),
      discard: discard === undefined ? undefined : describe(discard),
      discardConfirmation: confirmsDiscard(owner),
    });
  }

  function hide(owner: Element): void {
    if (shown !== owner) return;
    shown = undefined;
    channel.sendChange({ type: "saveBar", shown: false, discardConfirmation: false });
  }

  class UiSaveBar extends HTMLElement {
    get showing(): boolean {
      return shown === this;
    }
    async show(): Promise<void> {
      const buttons = [...this.querySelectorAll<HTMLElement>("button")];
      const save = buttons.find((button) => button.getAttribute("variant") === "primary");
      show(
        this,
        save,
        buttons.find((button) => button !== save),
      );
      this.dispatchEvent(new Event("show"));
    }
    async hide(): Promise<void> {
      hide(this);
      this.dispatchEvent(new Event("hide"));
    }
    async toggle(): Promise<void> {
      await (this.showing ? this.hide() : this.show());
    }
    connectedCallback(): void {
      new MutationObserver(() => {
        if (this.showing) void this.show();
      }).observe(this, { subtree: true, childList: true, attributes: true });
    }
    disconnectedCallback(): void {
      hide(this);
    }
  }

  function barOf(id: string): UiSaveBar {
    const bar = document.querySelector(`#${CSS.escape(id)}`);
    if (!(bar instanceof UiSaveBar)) throw new Error(`There is no ui-save-bar with the id "${id}"`);
    return bar;
  }

  function watchForms(): void {
    const proxies = new WeakMap<HTMLFormElement, { save: HTMLElement; discard: HTMLElement }>();
    const proxied = (form: HTMLFormElement) => {
      const known = proxies.get(form);
      if (known) return known;
      const save = document.createElement("button");
      const discard = document.createElement("button");
      save.setAttribute("variant", "primary");
      save.textContent = "Save";
      discard.textContent = "Discard";
      save.addEventListener("click", () => form.requestSubmit());
      discard.addEventListener("click", () => form.reset());
      const made = { save, discard };
      proxies.set(form, made);
      return made;
    };
    const formOf = (event: Event) =>
      event.target instanceof Element ? event.target.closest<HTMLFormElement>("form[data-save-bar]") : null;
    for (const name of ["input", "change"]) {
      addEventListener(name, (event) => {
        const form = formOf(event);
        if (form !== null) show(form, proxied(form).save, proxied(form).discard);
      });
    }
    for (const name of ["submit", "reset"]) {
      addEventListener(name, (event) => {
        const form = formOf(event);
        if (form !== null) hide(form);
      });
    }
  }

  return {
    show: async (id) => barOf(id).show(),
    hide: async (id) => barOf(id).hide(),
    toggle: async (id) => barOf(id).toggle(),
    // As in App Bridge, the promise stays pending if the merchant stays on the page.
    async leaveConfirmation() {
      const owner = shown;
      if (owner === undefined) return;
      if ((await channel.request((id) => ({ type: "confirmLeave", id }))) !== true)
        await new Promise<never>(() => undefined);
      hide(owner);
    },
    define() {
      if (customElements.get("ui-save-bar") === undefined) customElements.define("ui-save-bar", UiSaveBar);
      watchForms();
    },
  };
}
