import { isObject, type Json } from "../domain/Json.ts"
import { list, parts, text } from "./Fields.ts"

export type Path = ReadonlyArray<string>

/** Paths omit deeper folders, so that a file cannot exhaust memory. */
const MAX_DEPTH = 64

/** A folder without a name adds nothing. */
export const within = (path: Path, name: string): Path =>
  name === "" || path.length >= MAX_DEPTH ? path : [...path, name]

/** Splits at slashes between spaces if there are any, else at every slash. */
export const splitPath = (path: string): Path => parts(path, path.includes(" / ") ? " / " : "/")

const keyOf = (value: unknown): string => (typeof value === "object" ? "" : text(value))

/** Keys are the folders' `id`; follows `parentId`, and cuts a cycle where it closes. */
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

export interface Tree {
  readonly isFolder: (node: Json) => boolean
  /** The folder's `children` by default. */
  readonly nodes?: (folder: Json) => ReadonlyArray<unknown>
  readonly inside: (folder: Json, around: Path) => Path
}

export interface Placed<Node> {
  readonly node: Node
  readonly folders: Path
}

export type Leaf = Placed<unknown>

export interface Contents<Node> {
  readonly nodes: ReadonlyArray<Node>
  readonly folders: Path
}

/** Folders first, without recursion: the file controls the nesting. `inside` is undefined for leaves. */
export function* walk<Node>(
  roots: ReadonlyArray<Node>,
  inside: (node: Node, around: Path) => Contents<Node> | undefined
): Generator<Placed<Node>> {
  const waiting: Array<Placed<Node>> = roots.map((node) => ({ node, folders: [] })).reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next
    const contents = inside(next.node, next.folders)
    if (contents === undefined) continue
    for (const node of contents.nodes.toReversed()) waiting.push({ node, folders: contents.folders })
  }
}

export function* leaves(roots: ReadonlyArray<unknown>, tree: Tree): Generator<Leaf> {
  const nodes = tree.nodes ?? ((folder) => list(folder["children"]))
  const isFolder = (node: unknown): node is Json => isObject(node) && tree.isFolder(node)
  const inside = (node: unknown, around: Path) =>
    isFolder(node) ? { nodes: nodes(node), folders: tree.inside(node, around) } : undefined
  for (const leaf of walk(roots, inside)) if (!isFolder(leaf.node)) yield leaf
}

/**
 * Names of the folders that every user of a browser has, in lower case: Chrome, Edge, Firefox, Safari; English, German,
 * French, Spanish, Portuguese, Italian, Dutch. Google Bookmarks and Raindrop use some of them for links without a
 * folder.
 */
const names = new Set([
  ...["bookmarks", "bookmarks bar", "bookmark bar", "bookmarks toolbar", "bookmarks toolbar folder"],
  ...["bookmarks menu", "personal toolbar", "personal toolbar folder", "other bookmarks", "mobile bookmarks"],
  ...["unsorted bookmarks", "unsorted", "unlabeled", "favorites", "favourites", "favorites bar"],
  ...["favourites bar", "other favorites", "other favourites", "mobile favorites", "mobile favourites"],
  ...["lesezeichen", "lesezeichenleiste", "lesezeichen-symbolleiste", "lesezeichen-menü", "lesezeichenmenü"],
  ...["weitere lesezeichen", "mobile lesezeichen", "favoriten", "favoritenleiste", "weitere favoriten"],
  ...["andere favoriten", "mobile favoriten"],
  ...["favoris", "signets", "marque-pages", "barre de favoris", "barre des favoris", "barre personnelle"],
  ...["barre de signets", "menu signets", "menu des marque-pages", "autres favoris", "autres marque-pages"],
  ...["favoris sur mobile", "marque-pages mobiles"],
  ...["marcadores", "barra de marcadores", "barra de favoritos", "menú de marcadores", "otros marcadores"],
  ...["otros favoritos", "favoritos", "outros favoritos", "menu de marcadores", "outros marcadores"],
  ...["preferiti", "barra dei preferiti", "altri preferiti", "barra dei segnalibri", "altri segnalibri"],
  ...["bladwijzers", "bladwijzerbalk", "bladwijzerwerkbalk", "bladwijzermenu", "andere bladwijzers"],
  ...["favorieten", "favorietenbalk", "andere favorieten"]
])

export const isBrowserFolder = (name: string): boolean => names.has(name.normalize("NFC").toLowerCase())

/** Names of the folders in which Opera and Vivaldi keep deleted bookmarks, in the same languages. */
const trash = new Set(
  "trash,recycle bin,deleted bookmarks,papierkorb,corbeille,papelera,lixeira,lixo,cestino,prullenbak".split(
    ","
  )
)

export const isTrashFolder = (name: string): boolean => trash.has(name.normalize("NFC").trim().toLowerCase())
