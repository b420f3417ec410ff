import { z } from "zod";

const pageSchema = z.object({
  appOrigin: z.string(),
  appTitle: z.string(),
  /** path of this page without the app's own path */
  appPath: z.string(),
  /** path of the admin's server for this page */
  api: z.string(),
});
export type AdminPage = z.infer<typeof pageSchema>;

export function readPage(): AdminPage {
  return pageSchema.parse(JSON.parse(document.querySelector("#admin-page")?.textContent ?? "{}"));
}
