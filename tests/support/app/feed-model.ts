/** An item as the API returns it. */
export interface ModelItem {
  productId: string;
  variantId: string;
  addedAt: string;
}

/** A change of the feed. */
export interface FeedChange {
  type: string;
  customerId: string;
  listId: string;
  version: number;
  itemCount: number;
  source: string;
  item?: ModelItem & { sequence?: number };
  list?: { name?: string; position: number };
}

export interface ModelList {
  listId: string;
  name: string | null;
  position: number;
  itemCount: number;
  version: number;
  /** newest first */
  items: ModelItem[];
}

type StoredItem = ModelItem & { sequence: number };

interface State extends Omit<ModelList, "items"> {
  items: Map<string, StoredItem>;
}

/** Returns items as a list shows them: newest first, and of those with the same time the one with the highest sequence number. */
function inOrder(items: Iterable<StoredItem>): ModelItem[] {
  return [...items]
    .sort((a, b) => b.addedAt.localeCompare(a.addedAt) || b.sequence - a.sequence)
    .map(({ sequence: _, ...item }) => item);
}

/** A consumer of the feed: it applies changes to an empty model as the documentation describes. */
export class FeedModel {
  readonly #customers = new Map<string, Map<string, State>>();

  #list({ customerId, listId }: FeedChange): State {
    let lists = this.#customers.get(customerId);
    if (!lists) {
      lists = new Map([
        ["default", { listId: "default", name: null, position: 0, itemCount: 0, version: 0, items: new Map() }],
      ]);
      this.#customers.set(customerId, lists);
    }
    let list = lists.get(listId);
    if (!list) {
      list = { listId, name: null, position: 0, itemCount: 0, version: 0, items: new Map() };
      lists.set(listId, list);
    }
    return list;
  }

  apply(change: FeedChange): void {
    const list = this.#list(change);
    if (change.version < list.version) throw new Error(`version ${change.version} follows ${list.version}`);
    list.version = change.version;
    list.itemCount = change.itemCount;
    const { item } = change;
    if (item && change.type === "wishlist.item.removed") list.items.delete(`${item.productId} ${item.variantId}`);
    else if (item) {
      if (item.sequence === undefined) throw new Error(`${item.productId} has no sequence number`);
      list.items.set(`${item.productId} ${item.variantId}`, { ...item, sequence: item.sequence });
    }
    if (change.list) {
      list.name = change.list.name ?? null;
      list.position = change.list.position;
    }
    if (change.type === "wishlist.list.deleted") this.#customers.get(change.customerId)?.delete(change.listId);
  }

  /** Returns the lists of a customer, the default list first and the others by position and id. */
  listsOf(customerId: string): ModelList[] {
    const lists = [...(this.#customers.get(customerId)?.values() ?? [])];
    const order = ({ listId, position }: State): number => (listId === "default" ? -Infinity : position);
    return lists
      .sort((a, b) => order(a) - order(b) || (a.listId < b.listId ? -1 : 1))
      .map((list) => ({
        ...list,
        items: inOrder(list.items.values()),
      }));
  }
}
