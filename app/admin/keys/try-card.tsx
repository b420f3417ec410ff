import { Badge, Banner, BlockStack, Box, Button, Card, InlineStack, Select, Text, TextField } from "@shopify/polaris";
import { useCallback, useState } from "react";
import type { ApiKey } from "../../access/views.ts";
import { useForm } from "../use-form.ts";
import { FormProblem } from "../form-problem.tsx";
import { SAMPLE_REQUESTS } from "./sample-requests.ts";

interface SampleResponse {
  path: string;
  /** undefined when no response arrived */
  status: number | undefined;
  body: string;
}

/** Sends a request with the access token only, as an API client does. App Bridge does not replace this token. */
async function sendRequest(path: string, token: string): Promise<SampleResponse> {
  try {
    const response = await fetch(path, { headers: { authorization: `Bearer ${token}` }, credentials: "omit" });
    const text = await response.text();
    const body = response.headers.get("content-type")?.includes("json")
      ? JSON.stringify(JSON.parse(text), null, 2)
      : text;
    return { path, status: response.status, body };
  } catch {
    return { path, status: undefined, body: "" };
  }
}

/** Sends a sample request with the key. */
export function TryCard({ apiKey }: { apiKey: ApiKey }) {
  const available = Object.entries(SAMPLE_REQUESTS).filter(([, { scope }]) => apiKey.scopes.includes(scope));
  const [chosen, setChosen] = useState(available[0]?.[0] ?? "");
  const [parameter, setParameter] = useState("");
  const [missing, setMissing] = useState(false);
  const [outcome, setOutcome] = useState<SampleResponse>();
  const sample = SAMPLE_REQUESTS[chosen];
  const path = sample?.path(parameter.trim()) ?? "";
  const onDone = useCallback(
    (token: string) => {
      void sendRequest(path, token).then(setOutcome);
    },
    [path],
  );
  const form = useForm<string>("try", {}, { hidden: { scope: sample?.scope ?? "" }, onDone });

  if (!sample) return null;
  const send = (): void => {
    const isMissing = sample.parameter !== undefined && parameter.trim() === "";
    setMissing(isMissing);
    setOutcome(undefined);
    if (!isMissing) form.submit();
  };
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Try this key
        </Text>
        <Text as="p" tone="subdued">
          Send a real request with this key&apos;s permissions. It uses a temporary access token that expires in one
          minute.
        </Text>
        <Select
          label="Request"
          options={available.map(([value, { label }]) => ({ value, label }))}
          value={chosen}
          onChange={setChosen}
        />
        {sample.parameter !== undefined && (
          <TextField
            label={sample.parameter}
            value={parameter}
            onChange={setParameter}
            autoComplete="off"
            error={missing ? "Enter a customer ID, such as 7001234567890." : ""}
          />
        )}
        <FormProblem of={[form]} />
        <InlineStack align="end">
          <Button onClick={send} loading={form.busy}>
            Send request
          </Button>
        </InlineStack>
        <div aria-live="polite">{outcome && <ResponseView {...outcome} />}</div>
      </BlockStack>
    </Card>
  );
}

function ResponseView({ path, status, body }: SampleResponse) {
  if (status === undefined) {
    return (
      <Banner tone="critical">
        <p>The service couldn't be reached. Send the request again.</p>
      </Banner>
    );
  }
  return (
    <BlockStack gap="200">
      <InlineStack gap="200" blockAlign="center">
        <Badge tone={status < 400 ? "success" : "critical"}>{String(status)}</Badge>
        <Text as="span" breakWord>
          GET {path}
        </Text>
      </InlineStack>
      <Box background="bg-surface-secondary" padding="300" borderRadius="200" overflowX="scroll">
        <pre style={{ margin: 0 }} tabIndex={0} aria-label="Response">
          {body}
        </pre>
      </Box>
    </BlockStack>
  );
}
