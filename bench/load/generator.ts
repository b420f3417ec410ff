import { runToEnd, say } from "../lifetime.ts";
import { autocannonGenerator } from "./autocannon.ts";
import type { LoadGenerator } from "./workload.ts";
import { wrk } from "./wrk.ts";

async function installWrk(): Promise<LoadGenerator | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  say("Installing wrk with apt-get …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    await runToEnd("apt-get", ["-q", "update"], { env });
    await runToEnd("apt-get", ["-q", "install", "-y", "--no-install-recommends", "wrk"], { env });
  } catch {
    return undefined; // no apt-get here
  }
  return wrk();
}

/** Returns wrk if it is installed or can be installed, otherwise autocannon, which is an npm package. */
export async function loadGenerator(wanted: "wrk" | "autocannon" | undefined): Promise<LoadGenerator> {
  if (wanted !== "autocannon") {
    const found = (await wrk()) ?? (await installWrk());
    if (found) return found;
    if (wanted === "wrk") throw new Error("wrk is not on the PATH and could not be installed");
  }
  return autocannonGenerator();
}
