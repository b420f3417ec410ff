import { exportDownload } from "../http/export-download.server.ts";
import { redeemIndexExportToken } from "../wishlists/index.server.ts";

export const loader = exportDownload("/app/wishlists/export", redeemIndexExportToken);
