import { exportDownload } from "../http/export-download.server.ts";
import { redeemExportToken } from "../wishlists/index.server.ts";

export const loader = exportDownload("/app/settings/data/export", redeemExportToken);
