import { userInfo } from "node:os";
import { sudoCaller } from "../../app/platform/process/env.server.ts";

const NAME_MAX = 255;

function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without an entry in /etc/passwd.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

/** Returns the actor of a command's audit entries: the operating system's user, under sudo the one who called it. */
export function commandLine(): { staff: undefined; operator: string } {
  return { staff: undefined, operator: (sudoCaller() ?? ownName()).slice(0, NAME_MAX) };
}
