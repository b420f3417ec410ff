import { text, type Fields } from "../shared/checked.ts";
import { recall, remember } from "../shared/session.ts";
import { find, listOf, rootOf } from "./dom.ts";
import { fail, say } from "./messages.ts";
import { call, Refusal } from "./requests.ts";

/** Set when a guest goes to log in so as to share. */
const INTENT = "wishlist:share";

function partOf(box: HTMLElement, action: string): HTMLElement {
  return find(box, `[data-share="${action}"]`);
}

function fieldOf(box: HTMLElement): HTMLInputElement {
  const field = find(box, "[data-share-link]");
  if (!(field instanceof HTMLInputElement)) throw new Error("no field");
  return field;
}

function nameFieldOf(box: HTMLElement): HTMLInputElement {
  const field = find(box, "[name=sharer]");
  if (!(field instanceof HTMLInputElement)) throw new Error("no field");
  return field;
}

/** Returns what a message with the link is about: the names of the list and of the sharer, as far as there are any. */
function subjectOf(box: HTMLElement): string {
  const { listName, shareTitle = "", sayBy = "" } = rootOf(box).dataset;
  const name = box.dataset["sharedBy"];
  return [listName, name && sayBy.replace("[name]", () => name)].filter(Boolean).join(" – ") || shareTitle;
}

/** Fills in the link. @param path of it, or "" while the list is not shared */
export function setLink(box: HTMLElement, path: string): void {
  const hasSheet = "share" in navigator;
  const url = path ? location.origin + path : "";
  partOf(box, "start").classList.toggle("wl-on", Boolean(path));
  partOf(box, "send").hidden = !hasSheet;
  fieldOf(box).value = url;
  find(box, "[data-share-by]").hidden = hasSheet;
  const subject = encodeURIComponent(subjectOf(box));
  const link = encodeURIComponent(url);
  find(box, "[data-share-mail]").setAttribute("href", `mailto:?subject=${subject}&body=${link}`);
  find(box, "[data-share-whatsapp]").setAttribute("href", `https://wa.me/?text=${subject}%20${link}`);
}

function setOpen(box: HTMLElement, isOpen: boolean): void {
  find(box, "[data-share-open]").hidden = !isOpen;
  partOf(box, "start").ariaExpanded = String(isOpen);
}

/** Hides the link, and gives the focus to the button that shows it. */
export function closeBox(box: HTMLElement): void {
  setOpen(box, false);
  partOf(box, "start").focus();
}

/** Does what a button of the box says. */
export async function share(button: HTMLElement): Promise<void> {
  const root = rootOf(button);
  const box = find(root, "[data-wishlist-share]");
  const { sayCopied = "", sayStopped = "" } = root.dataset;
  if (box.ariaBusy) return;
  box.ariaBusy = "true";
  try {
    switch (button.dataset["share"]) {
      case "start":
        if (partOf(box, "start").ariaExpanded === "true") setOpen(box, false);
        else if (fieldOf(box).value) setOpen(box, true);
        else {
          await open(root, box);
          await send(box);
        }
        break;
      case "send":
        await send(box);
        break;
      case "copy":
        if (await copy(fieldOf(box))) say(root, sayCopied);
        break;
      default:
        await call(root, "revokeListShareLink", { listId: listOf(root) });
        setLink(box, "");
        closeBox(box);
        say(root, sayStopped);
    }
  } catch (error) {
    fail(root, error);
  }
  box.ariaBusy = null;
}

/** Makes the link, if there is none, and shows it. */
async function open(root: HTMLElement, box: HTMLElement): Promise<void> {
  showLink(box, await call(root, "shareList", { listId: listOf(root) }));
  setOpen(box, true);
  partOf(box, "share" in navigator ? "send" : "copy").focus();
  say(root, root.dataset["sayShared"] ?? "");
}

/** Opens the system's share sheet. If the shopper closes it or the browser wants another press first, the link is on the page. */
async function send(box: HTMLElement): Promise<void> {
  if (!("share" in navigator)) return;
  await navigator.share({ title: subjectOf(box), url: fieldOf(box).value }).catch(() => undefined);
}

/** Fills in a link with its sharer's name, which the app remembers from the link before. */
function showLink(box: HTMLElement, { shareUrl, sharedBy }: Fields): void {
  const name = text(sharedBy);
  box.dataset["sharedBy"] = name;
  nameFieldOf(box).value = name;
  setLink(box, new URL(text(shareUrl)).pathname);
}

/** Saves the sharer's name, or removes it when the field is empty. */
export async function saveName(form: HTMLFormElement): Promise<void> {
  const root = rootOf(form);
  const box = find(root, "[data-wishlist-share]");
  if (box.ariaBusy) return;
  box.ariaBusy = "true";
  const { sayDetailsSaved = "", saySharerInvalid = "" } = root.dataset;
  try {
    const shared_by = nameFieldOf(box).value.trim() || null;
    showLink(box, await call(root, "updateListShareLink", { listId: listOf(root), shared_by }));
    say(root, sayDetailsSaved);
  } catch (error) {
    if (error instanceof Refusal && error.path === "body.shared_by") say(root, saySharerInvalid);
    else fail(root, error);
  }
  box.ariaBusy = null;
}

/** Copies the link. Where the browser denies that, the link is selected at least. */
async function copy(field: HTMLInputElement): Promise<boolean> {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // oxlint-disable-next-line typescript/no-deprecated -- works where the clipboard is denied
    return document.execCommand("copy");
  }
}

/** Remembers over the login that the guest wants to share. */
export function rememberIntent(): void {
  remember(INTENT, "1");
}

/** Continues with sharing after the login. A system's sheet would need another press. */
export async function resumeSharing(root: HTMLElement): Promise<void> {
  const box = root.querySelector<HTMLElement>("[data-wishlist-share]");
  if (!box || !recall(INTENT)) return;
  remember(INTENT, "");
  await open(root, box).catch((error: unknown) => fail(root, error));
}
