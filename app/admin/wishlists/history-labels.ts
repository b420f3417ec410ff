import type { ListOwner, VersionView } from "../../wishlists/staff/view.ts";
import { formatCount } from "../format.ts";

const LIST_EVENTS: Record<NonNullable<VersionView["listEvent"]>, string> = {
  created: "List created",
  renamed: "List renamed",
  moved: "List reordered",
  deleted: "List deleted",
};

/** Returns what a version changed, such as "2 items added, 1 removed". */
export function describeVersion({ listEvent, added, removed, updated }: VersionView): string {
  const counts = [
    ["added", added],
    ["removed", removed],
    ["changed", updated],
  ] as const;
  const changes = counts
    .filter(([, count]) => count > 0)
    .map(([verb, count], index) => `${index === 0 ? formatCount(count, "item") : count} ${verb}`);
  return [...(listEvent === undefined ? [] : [LIST_EVENTS[listEvent]]), ...changes].join(", ");
}

/** Returns some products of a version by title. */
export function describeProducts({ titles, added, removed, updated }: VersionView): string {
  const more = added + removed + updated > titles.length && titles.length > 0;
  return titles.join(", ") + (more ? " and others" : "");
}

/** Returns who made a version, or where. */
export function describeSource({ source }: VersionView, owner: ListOwner): string {
  switch (source) {
    case "storefront":
      return owner.kind === "customer" ? "Customer in the store" : "Guest in the store";
    case "cart":
      return owner.kind === "customer" ? "Customer, from the cart" : "Guest, from the cart";
    case "api":
      return "API";
    case "staff":
      return "Staff";
    case "import":
      return "Import";
    case "login":
      return "Merged when the guest logged in";
    case "move":
      return "Moved between lists";
    case "restore":
      return "Restored by the customer";
    case "other":
      return "Service";
  }
}
