import { createServer, isIPv6, type Server } from "node:net";
import path from "node:path";
import type { Env } from "../app/platform/process/env.server.ts";
import { StartError } from "./fail.ts";
import { errorCode } from "./postgres/errors.ts";
import { readOwner } from "./postgres/owner-lock.ts";

/** The setting that a server's port comes from. */
type PortSetting = "PORT" | "METRICS_PORT";

/** @throws StartError when a port is in use or cannot be bound */
export async function checkPorts(env: Env): Promise<void> {
  const probes: Server[] = [];
  try {
    // Bound at the same time, as by the service.
    const settings: readonly PortSetting[] = env.metricsPort === undefined ? ["PORT"] : ["PORT", "METRICS_PORT"];
    for (const setting of settings) {
      const probe = createServer();
      await listen(probe, env, setting);
      probes.push(probe);
    }
  } finally {
    await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  }
}

/**
 * Binds a server to the host and a port of the settings.
 * @returns its URL on this machine, such as http://127.0.0.1:3000, and its port
 * @throws StartError when the port is in use or cannot be bound
 */
export async function listen(
  server: Server,
  env: Env,
  setting: PortSetting = "PORT",
): Promise<{ url: string; port: number }> {
  const { host } = env;
  const wanted = (setting === "METRICS_PORT" ? env.metricsPort : undefined) ?? env.port;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(wanted, host, resolve);
    });
  } catch (error) {
    throw (await bindingError(error, wanted, { env, setting })) ?? error;
  }
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : wanted;
  return { url: `http://${localHost(host)}:${port}`, port };
}

/** Explains why a port cannot be bound, if the reason is an expected one. */
async function bindingError(
  error: unknown,
  port: number,
  { env, setting }: { env: Env; setting: PortSetting },
): Promise<StartError | undefined> {
  switch (errorCode(error)) {
    case "EADDRINUSE": {
      if (setting === "METRICS_PORT" && port === env.port)
        return new StartError(`PORT and METRICS_PORT are both ${port}; set METRICS_PORT to another port`);
      const owner = env.databaseUrl === undefined ? await readOwner(path.resolve(env.dataDir)) : undefined;
      const by = owner?.role === "server" ? ` (by "${owner.label}", pid ${owner.pid}?)` : "";
      return new StartError(`Port ${port} is in use${by}; stop that program, or set ${setting} to another port`);
    }
    case "EACCES":
      return new StartError(`Port ${port} needs more rights; set ${setting} to one above 1023`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartError(`HOST ${env.host} is no address of this machine`);
    default:
      return undefined;
  }
}

/** Returns the host under which this machine reaches a server that listens on `host`. */
function localHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIPv6(host) ? `[${host}]` : host;
}
