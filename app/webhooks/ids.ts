// Ids of deliveries and messages are UUIDs in the database; what callers and receivers see says what it is.

const HEX = /^[0-9a-f]{32}$/;

function withPrefix(prefix: string, uuid: string): string {
  return prefix + uuid.replaceAll("-", "");
}

/** The `webhook-id` of an event: the same in every delivery and attempt. */
export function toMessageId(eventUuid: string): string {
  return withPrefix("msg_", eventUuid);
}

export function toDeliveryId(uuid: string): string {
  return withPrefix("dlv_", uuid);
}

/** The UUID behind a delivery's id, or undefined when it is none. */
export function fromDeliveryId(id: string): string | undefined {
  const hex = id.slice("dlv_".length);
  return id.startsWith("dlv_") && HEX.test(hex) ? hex : undefined;
}
