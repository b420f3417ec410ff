import { realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The link to the command line that the container image has, and that docs/deploy.md makes for systemd. */
const LINK = "/usr/local/bin/wishlist";

const TOP = fileURLToPath(new URL("../", import.meta.url));

/** Returns the name of a link into this installation, and npm's command where the link is absent or leads to another installation. */
export function programName(link: string): string {
  try {
    if (realpathSync(link).startsWith(TOP)) return path.basename(link);
  } catch {
    // The link is absent.
  }
  return "npm run -s wishlist --";
}

/** The beginning of every command line, for messages of the command line and of the service. */
export const PROGRAM = programName(LINK);
