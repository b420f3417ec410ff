import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";

const configSchema = z.object({
  api_version: z.string(),
  extensions: z
    .array(
      z.object({
        type: z.literal("ui_extension"),
        name: z.string(),
        handle: z.string(),
        targeting: z.array(z.object({ target: z.string(), module: z.string() })).length(1),
      }),
    )
    .min(1),
});

/** One extension of a `shopify.extension.toml`, with the place in Shopify where it is shown. */
export interface UiExtension {
  handle: string;
  /** the text key of its name, as `t:name` */
  name: string;
  target: string;
  /** path of its module in the folder */
  module: string;
}

/** Reads the UI extensions of a folder. */
export async function readUiExtensions(folder: string): Promise<UiExtension[]> {
  const text = await readFile(path.join(folder, "shopify.extension.toml"), "utf8");
  return configSchema.parse(parse(text)).extensions.map(({ handle, name, targeting: [targeting] }) => {
    if (!targeting) throw new Error(`${handle} has no target`);
    return { handle, name, ...targeting };
  });
}

/**
 * Bundles an extension with the options of Shopify's CLI, which makes the same entry around the module and puts the environment into the code.
 * @param appUrl SHOPIFY_APP_URL; without it, the extension refuses to be built
 */
export async function bundleUiExtension(
  folder: string,
  { target, module }: Pick<UiExtension, "target" | "module">,
  appUrl: string | undefined,
): Promise<string> {
  // Loading esbuild takes longer than starting a devstore that serves no extension.
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    stdin: {
      contents: `import Target from ${JSON.stringify(module)}; shopify.extend(${JSON.stringify(target)}, (...args) => Target(...args));`,
      resolveDir: folder,
      loader: "tsx",
    },
    bundle: true,
    minify: true,
    write: false,
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    target: "es2020",
    define: {
      "process.env.NODE_ENV": JSON.stringify("production"),
      ...(appUrl !== undefined && { "process.env.SHOPIFY_APP_URL": JSON.stringify(appUrl) }),
    },
    logLevel: "silent",
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`${module} was not built`);
  return file.text;
}
