import { isObject, type Json } from "../domain/Json.ts"
import { text } from "./Fields.ts"

/** The names of folders from the outermost to the innermost. */
export type Path = ReadonlyArray<string>

/** Folders deeper than anybody's are left out, so that a file's nesting cannot use up memory. */
const MAX_DEPTH = 64

/** The path of a folder in another one; a folder without a name leads no deeper. */
export const within = (path: Path, name: string): Path =>
  name === "" || path.length >= MAX_DEPTH ? path : [...path, name]

const keyOf = (value: unknown): string => (typeof value === "object" ? "" : text(value))

/** The paths of folders that name their parent by its `id` in `parentId`, by their own; a circle is cut where it closes. */
export const pathsById = (folders: ReadonlyArray<unknown>): ReadonlyMap<string, Path> => {
  const byId = new Map<string, Json>()
  for (const folder of folders) {
    const id = isObject(folder) ? keyOf(folder["id"]) : ""
    if (isObject(folder) && id !== "") byId.set(id, folder)
  }
  const paths = new Map<string, Path>()
  for (const start of byId.keys()) {
    const chain: Array<string> = []
    const seen = new Set<string>()
    let id = start
    while (byId.has(id) && !paths.has(id) && !seen.has(id)) {
      seen.add(id)
      chain.push(id)
      id = keyOf(byId.get(id)?.["parentId"])
    }
    let path = paths.get(id) ?? []
    for (const inner of chain.reverse()) {
      path = within(path, text(byId.get(inner)?.["name"]))
      paths.set(inner, path)
    }
  }
  return paths
}

/** A folder of a tree: how it is told from an entry, and its path. */
export interface Tree {
  readonly isFolder: (node: Json) => boolean
  /** The path of what is in the folder. */
  readonly inside: (folder: Json, around: Path) => Path
}

export interface Leaf {
  readonly node: unknown
  readonly folders: Path
}

/** What hangs in a tree of `children`, in the order of the file and without recursion: the nesting is the file's choice. */
export function* leaves(roots: ReadonlyArray<unknown>, tree: Tree): Generator<Leaf> {
  const waiting: Array<Leaf> = roots.map((node) => ({ node, folders: [] })).reverse()
  for (let leaf = waiting.pop(); leaf !== undefined; leaf = waiting.pop()) {
    const { folders, node } = leaf
    if (!isObject(node) || !tree.isFolder(node)) yield leaf
    else if (Array.isArray(node["children"])) {
      const inside = tree.inside(node, folders)
      for (const child of node["children"].toReversed()) waiting.push({ node: child, folders: inside })
    }
  }
}
