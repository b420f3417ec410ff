import { Announcer } from "../platform/jobs/announcer.server.ts";

type Listener = (shopId: number, lastNumber: number) => void;

const announcer = new Announcer("wishlist_changes");
let notifyListener: Listener = () => undefined;

/**
 * Sets the listener for changes that got their numbers, in this process or another one. Notifications can be lost. To be called before
 * `startListening`.
 */
export function onChangeNumbers(listener: Listener): void {
  notifyListener = listener;
  announcer.listen((messages) => {
    for (const message of messages) {
      const [shopId, lastNumber] = message.split(":");
      listener(Number(shopId), Number(lastNumber));
    }
  });
}

/** Tells this and other processes the number of a shop's last change. */
export function announceNumbers(shopId: number, lastNumber: number): void {
  notifyListener(shopId, lastNumber);
  announcer.announce(shopId, `${shopId}:${lastNumber}`);
}
