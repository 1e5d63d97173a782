import { describe, expect, test } from "bun:test"
import { isObject } from "../../src/domain/Json.ts"
import { leaves, pathsById, type Tree, within } from "../../src/transfer/Folders.ts"

const tree: Tree = {
  isFolder: (node) => "children" in node,
  inside: (folder, around) => within(around, typeof folder["name"] === "string" ? folder["name"] : "")
}

describe("pathsById", () => {
  test("follows parents in any order of the list", () =>
    expect(
      [
        ...pathsById([
          { id: 3, name: "c", parentId: 2 },
          { id: 1, name: "a", parentId: null },
          { id: 2, name: "b", parentId: 1 },
          { id: 4, name: "lost", parentId: 99 }
        ])
      ].sort()
    ).toEqual([
      ["1", ["a"]],
      ["2", ["a", "b"]],
      ["3", ["a", "b", "c"]],
      ["4", ["lost"]]
    ]))

  test("cuts a cycle", () => {
    const paths = pathsById([
      { id: 1, name: "a", parentId: 2 },
      { id: 2, name: "b", parentId: 1 },
      { id: 3, name: "own", parentId: 3 }
    ])
    expect(paths.get("1")).toEqual(["b", "a"])
    expect(paths.get("2")).toEqual(["b"])
    expect(paths.get("3")).toEqual(["own"])
  })

  test("skips other values, and limits long chains", () => {
    const chain = Array.from({ length: 100_000 }, (_, id) => ({ id: id + 1, name: "x", parentId: id }))
    expect(pathsById([null, 5, {}, ...chain]).get("100000")?.length).toBe(64)
  })
})

describe("leaves", () => {
  test("keeps the order of the file", () => {
    const root = { name: "r", children: ["1", { name: "in", children: ["2", { children: ["3"] }] }, "4"] }
    expect([...leaves([root], tree)].map(({ folders, node }) => [node, folders.join("/")])).toEqual([
      ["1", "r"],
      ["2", "r/in"],
      ["3", "r/in"],
      ["4", "r"]
    ])
  })

  test("reaches any depth", () => {
    let node: unknown = { url: "deep" }
    for (let depth = 0; depth < 200_000; depth++) node = { name: "x", children: [node] }
    const [leaf, ...more] = leaves([node], tree)
    expect(isObject(leaf?.node) && leaf.node["url"]).toBe("deep")
    expect(leaf?.folders).toHaveLength(64)
    expect(more).toEqual([])
  })
})
