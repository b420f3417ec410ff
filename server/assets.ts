import path from "node:path";
import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";

const CLIENT = fileURLToPath(new URL("../build/client", import.meta.url));

/** Serves the build's assets. Browsers may cache them for ever, because their names contain a hash of the content. */
export function builtAssets(): (request: Request) => Response | Promise<Response> {
  const app = new Hono();
  app.use(
    "/assets/*",
    serveStatic({
      root: path.relative(process.cwd(), CLIENT) || ".",
      precompressed: true,
      onFound: (_path, context) => {
        context.header("Cache-Control", "public, max-age=31536000, immutable");
        context.header("X-Content-Type-Options", "nosniff");
      },
    }),
  );
  return (request) => app.fetch(request);
}
