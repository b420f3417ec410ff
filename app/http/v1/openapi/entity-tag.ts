import { hash } from "node:crypto";
import { entityTag } from "../../../platform/text/entity-tag.ts";

/** Returns the entity tag of a document that is the same for all callers. */
export function documentTag(text: string): string {
  return entityTag(hash("sha256", text, "buffer"));
}
