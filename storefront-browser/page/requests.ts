import { fields, list, text, type Fields } from "../shared/checked.ts";
import { isPage, resultOf, post, type Result } from "../shared/proxy.ts";
import { read } from "../shared/saved-list.ts";

/** Seconds to wait where the response does not say how many. */
const WAIT = "60";

/** A request that failed, at the app or at the store's cart. */
export class Refusal extends Error {
  /** the app's error code, or "" */
  readonly code: string;
  /** seconds until a retry */
  readonly wait: string;
  /** the part of the request that is the reason, such as `body.items[2]`, or "" */
  readonly path: string;

  constructor({ error }: Pick<Result, "error">) {
    super();
    this.code = text(error["code"]);
    this.wait = text(error["retryAfter"]) || WAIT;
    this.path = text(fields(list(error["details"])[0])["path"]);
  }
}

function send(root: HTMLElement, path: string, body: Fields): Promise<Response | undefined> {
  const { owner, reader, proxy = "" } = root.dataset;
  return post(proxy, path, { guestId: (owner ?? reader) === "guest" ? read().guest : "", ...body });
}

/** Calls the app as the shopper whose list this is. @throws Refusal */
export async function call(root: HTMLElement, path: string, body: Fields = {}): Promise<Fields> {
  const result = await resultOf(await send(root, path, body));
  if (!result.data) throw new Refusal(result);
  return result.data;
}

/** Returns a page of the list as HTML. @throws Refusal */
export async function callForPage(root: HTMLElement, body: Fields): Promise<string> {
  const response = await send(root, "page", body);
  if (!isPage(response)) throw new Refusal(await resultOf(response));
  return response.text();
}
