import { fromAppSchema, type FromApp, type ToApp } from "../app-bridge/messages.ts";
import { sendCall } from "./calls.ts";
import { confirmChoice, LEAVE } from "./confirm.ts";
import { readPage } from "./page.ts";
import { pickResources } from "./picker.ts";
import { decideScopes } from "./scopes.ts";
import { renderMenu, renderSaveBar, renderTitle, renderToast, hideToast, type Press } from "./render.ts";

const page = readPage();

function appWindow(): Window | null | undefined {
  return document.querySelector<HTMLIFrameElement>("#app-frame")?.contentWindow;
}

function send(message: ToApp): void {
  appWindow()?.postMessage(message, page.appOrigin);
}
const press: Press = (key) => send({ type: "press", key });

async function respond(id: number, work: () => Promise<unknown>): Promise<void> {
  try {
    send({ type: "result", id, value: await work() });
  } catch (error) {
    send({ type: "fail", id, message: error instanceof Error ? error.message : "failed" });
  }
}

/** Updates the admin's address when the app navigates. */
function follow(path: string): void {
  const address = page.appPath + (path === "/" ? "" : path);
  if (location.pathname + location.search !== address) history.replaceState({}, "", address);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("#app-menu a")) {
    const here = new URL(link.href).pathname === page.appPath + new URL(path, page.appOrigin).pathname;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

let at = "/";
let shownTitle = "";

function act(message: FromApp): void {
  switch (message.type) {
    case "ready":
      document.body.dataset["app"] = "ready";
      return;
    case "call":
      void respond(message.id, () => sendCall(page, message.name));
      return;
    case "scopes":
      void respond(message.id, () => decideScopes(page, message));
      return;
    case "pick":
      void respond(message.id, () => pickResources(page, message));
      return;
    case "toast":
      renderToast(
        message,
        () => send({ type: "toastAction", id: message.id }),
        () => send({ type: "toastGone", id: message.id }),
      );
      return;
    case "hideToast":
      hideToast(message.id);
      return;
    case "loading":
      document.body.classList.toggle("loading", message.on);
      return;
    case "location":
      at = message.path;
      follow(at);
      return;
    case "open":
      // Only http and https: an app must not run scripts in the admin.
      if (/^https?:/.test(message.url)) location.assign(message.url);
      return;
    case "menu":
      renderMenu(message.links, page.appPath, press);
      follow(at);
      return;
    case "title":
      // A button that is replaced while it is pressed loses the click.
      if (shownTitle !== JSON.stringify(message)) renderTitle(message, page.appTitle, press);
      shownTitle = JSON.stringify(message);
      return;
    case "saveBar":
      renderSaveBar(message, press);
      return;
    case "confirmLeave":
      void respond(message.id, () => confirmChoice(LEAVE));
  }
}

addEventListener("message", (event: MessageEvent<unknown>) => {
  if (event.source === null || event.source !== appWindow() || event.origin !== page.appOrigin) return;
  const parsed = fromAppSchema.safeParse(event.data);
  if (parsed.success) act(parsed.data);
  else console.error("App Bridge: a message that the admin does not understand", parsed.error.issues);
});

addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.body.classList.remove("menu-open");
});
