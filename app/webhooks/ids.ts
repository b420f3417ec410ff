// In the database, the ids of deliveries and messages are UUIDs; callers and receivers see them with a prefix that names the type.

const HEX = /^[0-9a-f]{32}$/;

function withPrefix(prefix: string, uuid: string): string {
  return prefix + uuid.replaceAll("-", "");
}

/** Returns the `webhook-id` of an event: the same in every delivery and attempt. */
export function toMessageId(eventUuid: string): string {
  return withPrefix("msg_", eventUuid);
}

/** Returns the `webhook-id` of a batch. */
export function toBatchId(uuid: string): string {
  return withPrefix("batch_", uuid);
}

export function toDeliveryId(uuid: string): string {
  return withPrefix("dlv_", uuid);
}

/** Returns the UUID of a delivery's id, or undefined for a malformed id. */
export function fromDeliveryId(id: string): string | undefined {
  const hex = id.slice("dlv_".length);
  return id.startsWith("dlv_") && HEX.test(hex) ? hex : undefined;
}
