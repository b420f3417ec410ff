import { expect, test } from "vitest";
import { entityTag, knownEntityTags } from "../../app/platform/text/entity-tag.ts";

const A = entityTag(Buffer.alloc(32, 1));
const B = entityTag(Buffer.alloc(32, 2));

test.each<[what: string, header: string | null, tags: string[]]>([
  ["one tag", A, [A]],
  ["a weak tag", `W/${A}`, [A]],
  ["a list with empty elements", `, ${A},,\t${B} ,`, [A, B]],
  ["a foreign tag with a comma", `"a,b", ${A}`, [A]],
  ["`*` alone", " * ", ["*"]],
  ["`*` among others", `*, ${A}`, []],
  ["no header", null, []],
  ["a blank inside a tag", `"${A.slice(1, -1)} x"`, []],
  ["a blank inside a tag before a good one", `"1.2 x", ${A}`, []],
  ["a tag without its end", A.slice(0, -1), []],
  ["two tags without a comma", `${A} ${B}`, []],
  ["a lower-case mark of weakness", `w/${A}`, []],
  ["a tag of another length", `"${A.slice(2)}`, []],
  ["more than 2,048 bytes", Array.from({ length: 90 }, () => A).join(","), []],
])("If-None-Match with %s is parsed to its entity tags", (_what, header, tags) => {
  expect(knownEntityTags(header)).toEqual(tags);
});
