import pg from "pg";

/** Milliseconds after which a database that does not respond counts as unreachable. */
const CONNECT_TIMEOUT = 10_000;

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: "wishlist sealing keys",
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the ids of recorded keys that ENCRYPTION_KEYS does not contain, whose values can't be unsealed. */
export async function unknownSealingKeys(databaseUrl: string, keyIds: readonly string[]): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ key_id: string }>(
      "SELECT key_id FROM sealing_key WHERE key_id <> ALL ($1::text[]) ORDER BY key_id",
      [keyIds],
    );
    return rows.map((row) => row.key_id);
  });
}

/** Records the key with which this process seals. */
export async function recordSealingKey(databaseUrl: string, keyId: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query("INSERT INTO sealing_key (key_id) VALUES ($1) ON CONFLICT DO NOTHING", [keyId]),
  );
}
