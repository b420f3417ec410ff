import { adminResource } from "../http/admin/admin.server.ts";
import { failureResponse } from "../http/response.server.ts";
import { readBytes, payloadTooLarge } from "../http/body.server.ts";
import { Failure } from "../platform/failure.ts";
import { PART_BYTES, takePart } from "../wishlists/index.server.ts";

/** Takes a part of a file that is to be imported; answers how much of it has come. */
export const action = adminResource(
  "/app/settings/data/upload",
  async ({ shop, query, request, http }) => {
    const { requestId } = http;
    const refuse = (failure: Failure): Response => failureResponse(failure, { requestId, cors: "same-origin" });
    const at = query.get("at") ?? "";
    if (request.method !== "POST") return refuse(new Failure("method_not_allowed", "Send a part by POST."));
    if (!/^\d{1,12}$/.test(at)) return refuse(new Failure("invalid_request", "query.at must be a place in the file."));
    const bytes = await readBytes(request, PART_BYTES).catch(() => "broken" as const);
    if (bytes === "broken") return refuse(new Failure("invalid_request", "The part did not arrive whole."));
    if (!bytes) return refuse(payloadTooLarge(PART_BYTES));
    const taken = await takePart(shop.id, { id: query.get("import") ?? "", at: Number(at), bytes });
    return taken instanceof Failure ? refuse(taken) : Response.json(taken);
  },
  { bodyLimit: PART_BYTES },
);
