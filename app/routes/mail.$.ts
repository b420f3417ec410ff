import { mailReports } from "../surfaces/mail-reports.server.ts";

export { mailReports as action, mailReports as loader };
