import type { AlertMoment } from "../../alerts/report.ts";
import { formatNumber, formatPrice } from "../format.ts";

/** A count of a moment's customers, or its revenue. */
interface MomentFigure {
  title: string;
  /** empty where it is not known */
  value: string;
}

function counter({ more }: AlertMoment): (value: number) => string {
  return (value) => `${more && value > 0 ? "At least " : ""}${formatNumber(value)}`;
}

function revenueOf({ revenue }: AlertMoment, currency: string | null): string {
  return revenue === null ? "" : formatPrice(revenue, currency);
}

/** Titles of the figures of moments. */
export function figureTitles(countsPurchases: boolean): string[] {
  return ["Sent", "Waiting", "Not sent", ...(countsPurchases ? ["Bought", "Revenue"] : [])];
}

/** Returns the figures of a moment in the order of their titles. @param countsPurchases whether purchases are known */
export function figuresOf(moment: AlertMoment, currency: string | null, countsPurchases: boolean): MomentFigure[] {
  const count = counter(moment);
  const { sent, waiting, notSent, bought } = moment;
  const values = [count(sent), count(waiting), count(notSent), formatNumber(bought), revenueOf(moment, currency)];
  return figureTitles(countsPurchases).map((title, index) => ({ title, value: values[index] ?? "" }));
}

/** Returns a moment's counts as a text: "130 sent, 5 not sent, 1 bought, €95.20". */
export function summarize(moment: AlertMoment, currency: string | null): string {
  const count = counter(moment);
  const { sent, waiting, notSent, bought } = moment;
  return [
    `${count(sent)} sent`,
    waiting > 0 ? `${count(waiting)} waiting` : "",
    notSent > 0 ? `${count(notSent)} not sent` : "",
    ...(bought > 0 ? [`${formatNumber(bought)} bought`, revenueOf(moment, currency)] : []),
  ]
    .filter((text) => text !== "")
    .join(", ");
}
