import type { Prisma } from "@prisma/client";

type Listener = (tx: Prisma.TransactionClient, shopId: number) => Promise<void>;

let listener: Listener | undefined;

/** Sets the listener for changes of a shop's time zone. It runs in the transaction of the change. */
export function onTimeZoneChanged(changed: Listener): void {
  listener = changed;
}

/** Calls the listener. @throws Error when the process has set none: it would leave quiet hours of another time zone */
export async function timeZoneChanged(tx: Prisma.TransactionClient, shopId: number): Promise<void> {
  if (!listener) throw new Error("Nothing listens for changes of the time zone: call onTimeZoneChanged at the start.");
  await listener(tx, shopId);
}
