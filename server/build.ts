import type { ServerBuild } from "@remix-run/node";
import type { Service } from "../app/service.server.ts";
import { copyBuiltClient } from "./prisma-client.ts";

/** The Remix build, with the service that `entry.server` exports beside its request handler. */
export interface AppBuild extends ServerBuild {
  entry: { module: ServerBuild["entry"]["module"] & { service: Service } };
}

function isAppBuild(build: unknown): build is AppBuild {
  return (
    typeof build === "object" &&
    build !== null &&
    "entry" in build &&
    typeof build.entry === "object" &&
    build.entry !== null &&
    "module" in build.entry &&
    typeof build.entry.module === "object" &&
    build.entry.module !== null &&
    "service" in build.entry.module
  );
}

export function asAppBuild(build: unknown): AppBuild {
  if (!isAppBuild(build)) throw new Error("build/server/index.js is not a build of this app; run `npm run build`");
  return build;
}

/** Loads the production build of `npm run build`. */
export async function loadBuild(): Promise<AppBuild> {
  const location = new URL("../build/server/index.js", import.meta.url);
  try {
    await copyBuiltClient();
    return asAppBuild(await import(location.href));
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND") {
      throw new Error("The app is not built; run `npm run build` first", { cause });
    }
    throw cause;
  }
}
