import { z } from "zod";

/** Needs no scope: the store responds to every token that it still accepts. */
export const INSTALLATION = `#graphql
  query Installation { currentAppInstallation { accessScopes { handle } } }`;
export const installationSchema = z.object({
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
});
