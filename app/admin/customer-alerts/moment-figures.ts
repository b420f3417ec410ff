import type { AlertMoment } from "../../alerts/report.ts";
import { formatNumber, formatPrice } from "../format.ts";

interface Shown {
  currency: string | null;
  /** whether the merchant lets the app read orders */
  readsOrders: boolean;
}

/** A count of a moment's customers, or its revenue. */
export interface MomentFigure {
  title: string;
  /** empty where it is not known */
  value: string;
}

/** Returns the figures of a moment in the order of the table's columns. Without read orders, purchases are not known. */
export function figuresOf(moment: AlertMoment, { currency, readsOrders }: Shown): readonly MomentFigure[] {
  const { sent, waiting, notSent, bought, revenue, more } = moment;
  const count = (value: number): string => `${more && value > 0 ? "At least " : ""}${formatNumber(value)}`;
  const isKnown = readsOrders || bought > 0;
  return [
    { title: "Sent", value: count(sent) },
    { title: "Waiting", value: count(waiting) },
    { title: "Not sent", value: count(notSent) },
    { title: "Bought", value: isKnown ? formatNumber(bought) : "" },
    { title: "Revenue", value: isKnown && revenue !== null ? formatPrice(revenue, currency) : "" },
  ];
}

/** Returns a moment's counts as a text: "130 sent, 5 not, 1 bought, €95.20". */
export function summarize(moment: AlertMoment, shown: Shown): string {
  const [sent, waiting, notSent, bought, revenue] = figuresOf(moment, shown).map(({ value }) => value);
  return [
    `${sent ?? ""} sent`,
    ...(moment.waiting > 0 ? [`${waiting ?? ""} waiting`] : []),
    ...(moment.notSent > 0 ? [`${notSent ?? ""} not sent`] : []),
    ...(moment.bought > 0 ? [`${bought ?? ""} bought`, revenue ?? ""] : []),
  ]
    .filter((text) => text !== "")
    .join(", ");
}
