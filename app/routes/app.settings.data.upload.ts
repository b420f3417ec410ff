import { adminResource } from "../http/admin/resource.server.ts";
import { failureResponse } from "../http/response.server.ts";
import { readBytes, payloadTooLarge } from "../http/body.server.ts";
import { Failure } from "../platform/failure.ts";
import { PART_BYTES, takePart } from "../wishlists/index.server.ts";

/** Receives a part of an import file. The response says how many bytes of the file have arrived. */
export const action = adminResource(
  "/app/settings/data/upload",
  async ({ shop, query, request, http }) => {
    const { requestId } = http;
    const refuse = (failure: Failure): Response => failureResponse(failure, { requestId, cors: "same-origin" });
    const at = query.get("at") ?? "";
    if (request.method !== "POST") return refuse(new Failure("method_not_allowed", "Send a part by POST."));
    if (!/^\d{1,12}$/.test(at))
      return refuse(new Failure("invalid_request", "query.at must be a byte offset in the file."));
    const bytes = await readBytes(request, PART_BYTES).catch(() => "broken" as const);
    if (bytes === "broken")
      return refuse(new Failure("invalid_request", "The part arrived incomplete. Send it again."));
    if (!bytes) return refuse(payloadTooLarge(PART_BYTES));
    const taken = await takePart(shop.id, { id: query.get("import") ?? "", at: Number(at), bytes });
    return taken instanceof Failure ? refuse(taken) : Response.json(taken);
  },
  { bodyLimit: PART_BYTES },
);
