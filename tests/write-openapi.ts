// The first half of `npm run check:api`: writes the OpenAPI document to where redocly.yaml looks for it. Needs no build and no server.
import { mkdirSync, writeFileSync } from "node:fs";
import { document } from "../app/routes/v1.openapi[.]json/endpoints.ts";

const folder = new URL("../node_modules/.cache/", import.meta.url);
mkdirSync(folder, { recursive: true });
// Over several lines: Redocly shows the place of what it finds.
writeFileSync(new URL("openapi.json", folder), `${JSON.stringify(document(), null, 2)}\n`);
