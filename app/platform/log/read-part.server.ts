import { log } from "./log.server.ts";

/**
 * Logs a failed reading instead of failing the page: the part of the page that shows it offers to try again.
 * @param shop domain, for the log
 */
export async function readPart<Data>(shop: string, reading: Promise<Data>): Promise<Data | undefined> {
  try {
    return await reading;
  } catch (error) {
    log.error({ err: error, shop }, "could not read a part of a page");
    return undefined;
  }
}
