// The first half of `npm run check:api`: writes the OpenAPI document to the path in redocly.yaml, without a build or a server.
import { mkdirSync, writeFileSync } from "node:fs";
import { document } from "../app/routes/v1.openapi[.]json/endpoints.ts";

const folder = new URL("../node_modules/.cache/", import.meta.url);
mkdirSync(folder, { recursive: true });
// Indented, because Redocly reports line numbers.
writeFileSync(new URL("openapi.json", folder), `${JSON.stringify(document(), null, 2)}\n`);
