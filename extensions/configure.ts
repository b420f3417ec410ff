// Writes the addresses of a deployment into the configuration that `shopify app deploy` sends: shopify.app.toml, and the extension whose address Shopify's
// command line takes as it is. `npm run shopify:configure` passes SHOPIFY_API_KEY and SHOPIFY_APP_URL.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Where Shopify Flow reports which triggers are in use. */
const LIFECYCLE_PATH = "/webhooks/flow";

export interface Deployment {
  /** SHOPIFY_API_KEY */
  clientId: string;
  /** SHOPIFY_APP_URL */
  appUrl: string;
}

/** Replaces the value of a line, and keeps comments and order. @throws Error if the file has no such line */
function setLine(toml: string, name: string, value: string): string {
  const line = new RegExp(`^${name} = .*$`, "m");
  if (!line.test(toml)) throw new Error(`There is no line "${name} = …".`);
  return toml.replace(line, () => `${name} = ${value}`);
}

/** Writes a deployment's client id and addresses into the files of a project folder. */
export async function configure(folder: string, { clientId, appUrl }: Deployment): Promise<void> {
  const url = URL.parse(appUrl);
  if (url?.protocol !== "https:" || url.pathname !== "/" || url.search !== "")
    throw new Error(`SHOPIFY_APP_URL must be an https: address without a path: ${appUrl}`);
  const edit = async (file: string, lines: Record<string, string>) => {
    const at = path.join(folder, file);
    const toml = Object.entries(lines).reduce(
      (text, [name, value]) => setLine(text, name, value),
      await readFile(at, "utf8"),
    );
    await writeFile(at, toml);
  };
  await edit("shopify.app.toml", {
    client_id: JSON.stringify(clientId),
    application_url: JSON.stringify(url.origin),
    redirect_urls: JSON.stringify([`${url.origin}/auth/callback`]),
  });
  await edit("extensions/flow-lifecycle/shopify.extension.toml", { url: JSON.stringify(url.origin + LIFECYCLE_PATH) });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { SHOPIFY_API_KEY: clientId = "", SHOPIFY_APP_URL: appUrl = "" } = process.env;
  if (clientId === "" || appUrl === "") {
    process.stderr.write("Set SHOPIFY_API_KEY and SHOPIFY_APP_URL to those of the deployment.\n");
    process.exitCode = 1;
  } else {
    await configure(fileURLToPath(new URL("..", import.meta.url)), { clientId, appUrl });
    process.stdout.write("Wrote shopify.app.toml and extensions/flow-lifecycle/shopify.extension.toml.\n");
  }
}
