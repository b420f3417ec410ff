import { inspect } from "node:util";
import type { Endpoint } from "../../endpoint.server.ts";
import type { CodeSample, Content, Operation } from "./document.ts";

/** What a sample calls: the operation with the examples of its parameters and its body. */
interface Call {
  method: string;
  path: string;
  operation: Omit<Operation, "x-codeSamples">;
  kind: Endpoint["access"]["kind"];
  streams: boolean;
}

function firstExample({ example, examples }: Content): unknown {
  const [first] = Object.values(examples ?? {});
  return first && "value" in first ? first.value : example;
}

function bodyOf({ requestBody }: Call["operation"]): unknown {
  const [content] = Object.values(requestBody?.content ?? {});
  return content && firstExample(content);
}

/** Returns the examples of the required parameters in a part of the request, by name. */
function required({ parameters }: Call["operation"], location: "path" | "query"): [string, unknown][] {
  return parameters.flatMap((parameter) =>
    parameter.in === location && parameter.required ? [[parameter.name, parameter.example]] : [],
  );
}

function curl({ method, path, operation, kind }: Call): string {
  const target = required(operation, "path").reduce(
    (filled, [name, example]) => filled.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = required(operation, "query").flatMap(([name, example]) =>
    [example].flat().map((value): [string, string] => [name, String(value)]),
  );
  const search = query.length === 0 ? "" : `?${new URLSearchParams(query).toString()}`;
  const body = bodyOf(operation);
  return [
    `curl ${method === "GET" || (method === "POST" && body !== undefined) ? "" : `-X ${method} `}"$API${target}${search}"`,
    ...(kind === "publishable" ? ["-H 'origin: https://www.example.com'"] : []),
    ...(operation.security.length > 0 ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined
      ? []
      : [`-H 'content-type: application/json'`, `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]),
  ].join(" \\\n  ");
}

/** Returns a call of the operation's method with the examples of what it requires. */
export function sdkSample({ operation, streams }: Pick<Call, "operation" | "streams">): string {
  const body = bodyOf(operation);
  const input = {
    ...Object.fromEntries([...required(operation, "path"), ...required(operation, "query")]),
    ...(typeof body === "object" ? body : {}),
  };
  const shown = Object.keys(input).length === 0 ? "" : inspect(input, { depth: null, breakLength: 80 });
  const call = `client.${operation["x-sdk-method"]}(${shown})`;
  return streams
    ? `for await (const { change, cursor } of ${call}) {\n  console.log(change.type, cursor);\n}`
    : `const data = await ${call};`;
}

/** Returns the samples of an operation: a command, and a call with the SDK. */
export function codeSamples(call: Call): CodeSample[] {
  const command = { lang: "Shell", label: "curl", source: curl(call) };
  // Clients made with the SDK exchange credentials by themselves.
  if (["credentials", "publishable", "session_token"].includes(call.kind)) return [command];
  return [command, { lang: "JavaScript", label: "SDK", source: sdkSample(call) }];
}
