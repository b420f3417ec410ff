import type { Action, FromApp } from "../app-bridge/messages.ts";
import { confirmChoice, DISCARD } from "./confirm.ts";

/** Clicks the app's element that a button or link of the admin represents. */
export type Press = (key: string) => void;

type Message<T extends FromApp["type"]> = Extract<FromApp, { type: T }>;

function find(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (element === null) throw new Error(`the admin has no ${selector}`);
  return element;
}

function buttonFor(action: Action, press: Press): HTMLButtonElement {
  const button = document.createElement("button");
  button.textContent = action.label;
  button.disabled = action.disabled || action.loading;
  button.ariaBusy = String(action.loading);
  button.classList.toggle("primary", action.primary);
  button.classList.toggle("critical", action.critical);
  button.addEventListener("click", () => press(action.key));
  return button;
}

export function renderMenu(links: Message<"menu">["links"], appPath: string, press: Press): void {
  find("#app-menu").replaceChildren(
    ...links
      .filter(({ home }) => !home)
      .map(({ key, href, label }) => {
        const link = document.createElement("a");
        link.textContent = label;
        link.href = appPath + href;
        link.addEventListener("click", (event) => {
          event.preventDefault();
          document.body.classList.remove("menu-open");
          press(key);
        });
        return link;
      }),
  );
}

/** @param appTitle title of pages without a title */
export function renderTitle({ title, breadcrumb, actions }: Message<"title">, appTitle: string, press: Press): void {
  const back = breadcrumb === undefined ? [] : [buttonFor({ ...breadcrumb, label: `‹ ${breadcrumb.label}` }, press)];
  const heading = document.createElement("span");
  heading.textContent = title || appTitle;
  find("#title-bar-title").replaceChildren(...back, heading);
  find("#title-bar-actions").replaceChildren(...actions.map((action) => buttonFor(action, press)));
}

export function renderSaveBar({ shown, save, discard, discardConfirmation }: Message<"saveBar">, press: Press): void {
  const pressDiscard = async (key: string): Promise<void> => {
    if (!discardConfirmation || (await confirmChoice(DISCARD))) press(key);
  };
  const bar = find("#save-bar");
  bar.hidden = !shown;
  const label = document.createElement("span");
  label.textContent = "Unsaved changes";
  bar.replaceChildren(
    label,
    ...(discard === undefined
      ? []
      : [buttonFor({ ...discard, label: discard.label || "Discard" }, (key) => void pressDiscard(key))]),
    ...(save === undefined ? [] : [buttonFor({ ...save, label: save.label || "Save", primary: true }, press)]),
  );
}

export function renderToast(toast: Message<"toast">, act: () => void, gone: () => void): void {
  const element = document.createElement("div");
  element.id = toast.id;
  element.className = toast.error ? "toast error" : "toast";
  const message = document.createElement("span");
  message.textContent = toast.message;
  const timer = setTimeout(close, toast.duration);
  function close(): void {
    clearTimeout(timer);
    element.remove();
    gone();
  }
  const buttons: HTMLButtonElement[] = [];
  if (toast.action !== "") {
    const action = document.createElement("button");
    action.textContent = toast.action;
    action.addEventListener("click", () => {
      act();
      close();
    });
    buttons.push(action);
  }
  const dismiss = document.createElement("button");
  dismiss.textContent = "×";
  dismiss.ariaLabel = "Dismiss";
  dismiss.addEventListener("click", close);
  element.append(message, ...buttons, dismiss);
  find("#toasts").append(element);
}

export function hideToast(id: string): void {
  document.querySelector<HTMLButtonElement>(`#${CSS.escape(id)} button:last-child`)?.click();
}
