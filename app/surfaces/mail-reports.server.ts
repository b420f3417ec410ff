import { mailReports as reports } from "../http/mail-reports.server.ts";
import { surface } from "../http/surface.server.ts";

/** What an operator's mail server or provider reports about sent messages. */
export const mailReports = surface([reports("/mail/reports")]);
