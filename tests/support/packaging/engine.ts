import { randomBytes } from "node:crypto";
import { z } from "zod";
import { expect, ready, run, say, SECRETS, TOP } from "./steps.ts";

const MAX_MB = 400;
const IMAGE = "wishlist-headless:packaging";

/** Builds both images, and runs the complete one on a read-only root file system until SIGTERM. */
export async function runInEngine(): Promise<void> {
  for (const target of ["external", "complete"]) {
    say(`Building ${target} …`);
    run("docker", ["build", "--quiet", "--target", target, "--tag", IMAGE, TOP]);
    const mb = Number(run("docker", ["image", "inspect", IMAGE, "--format", "{{.Size}}"])) / 1_000_000;
    say(`${target}: ${mb.toFixed(0)} MB`);
    expect(mb <= MAX_MB, `the image is larger than ${MAX_MB} MB`);
    const user = run("docker", ["image", "inspect", IMAGE, "--format", "{{.Config.User}}"]);
    expect(/^[1-9]/.test(user), `the image runs as ${user}`);
  }
  const name = `wishlist-packaging-${randomBytes(4).toString("hex")}`;
  try {
    await serve(name);
  } finally {
    run("docker", ["rm", "--force", "--volumes", name]);
  }
  say("The image works.");
}

async function serve(name: string): Promise<void> {
  const hardened = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--volume", "/data"];
  const env = Object.entries(SECRETS).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
  run("docker", ["run", "--detach", "--name", name, "--publish", "127.0.0.1:0:3000", ...hardened, ...env, IMAGE]);
  const state = (format: string): string => run("docker", ["container", "inspect", name, "--format", format]);
  const address = run("docker", ["port", name, "3000"]);
  await ready(`http://${address}`, () => state("{{.State.Running}}") === "true");
  say("Ready.");
  const shops = run("docker", ["exec", name, "wishlist", "shops", "list"]);
  expect(shops.includes("`wishlist shops create"), `wishlist shops list printed: ${shops}`);
  const health = z
    .array(z.string())
    .parse(JSON.parse(state("{{json .Config.Healthcheck.Test}}")))
    .slice(1);
  run("docker", ["exec", name, ...health]);
  run("docker", ["stop", "--time", "60", name]);
  const code = state("{{.State.ExitCode}}");
  expect(code === "0", `the service ended with ${code} after SIGTERM`);
  say("Healthy, and stopped with exit code 0.");
}
