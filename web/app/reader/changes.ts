/** A part of a text that two versions share, or that only one of them has. */
export interface Piece {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
}

/** A paragraph of the comparison: its pieces in order, or unchanged paragraphs that are left out. */
export type Change =
  | { readonly kind: "paragraph"; readonly pieces: ReadonlyArray<Piece> }
  | { readonly kind: "gap"; readonly count: number }

/** Maximum number of steps of a comparison; what differs more is shown as removed and added whole. */
const MAX_STEPS = 600
/** The number of unchanged paragraphs that are shown beside a changed one. */
const CONTEXT = 1

interface Match {
  readonly before: number
  readonly after: number
}

/**
 * Finds the items that two sequences share, in order, with the fewest others (Myers, "An O(ND) Difference Algorithm and
 * Its Variations", 1986); gives up after `MAX_STEPS` differing items, and then matches the common ends alone.
 */
export const matchesOf = (
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>
): ReadonlyArray<Match> => {
  let head = 0
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head++
  let tail = 0
  const room = Math.min(before.length, after.length) - head
  while (tail < room && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const [n, m] = [before.length - head - tail, after.length - head - tail]
  const common: Array<Match> = Array.from({ length: head }, (_, at) => ({ before: at, after: at }))
  common.push(...middle(before, after, { head, n, m }))
  for (let at = 0; at < tail; at++) common.push({ before: head + n + at, after: head + m + at })
  return common
}

const middle = (
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>,
  { head, m, n }: { readonly head: number; readonly n: number; readonly m: number }
): ReadonlyArray<Match> => {
  const most = Math.min(n + m, MAX_STEPS)
  const reach = new Int32Array(2 * most + 3)
  const origin = most + 1
  const trace: Array<Int32Array> = []
  for (let d = 0; d <= most; d++) {
    trace.push(reach.slice())
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (reach[origin + k - 1] ?? 0) < (reach[origin + k + 1] ?? 0))
      let x = down ? (reach[origin + k + 1] ?? 0) : (reach[origin + k - 1] ?? 0) + 1
      while (x < n && x - k < m && before[head + x] === after[head + x - k]) x++
      reach[origin + k] = x
      if (x >= n && x - k >= m) return traced(trace, { origin, head, n, m })
    }
  }
  return []
}

const traced = (
  trace: ReadonlyArray<Int32Array>,
  {
    head,
    m,
    n,
    origin
  }: { readonly origin: number; readonly head: number; readonly n: number; readonly m: number }
): ReadonlyArray<Match> => {
  const found: Array<Match> = []
  let [x, y] = [n, m]
  for (let d = trace.length - 1; d >= 0; d--) {
    const at = (k: number) => trace[d]?.[origin + k] ?? 0
    const k = x - y
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1))
    const startX = d === 0 ? 0 : at(down ? k + 1 : k - 1)
    const startY = d === 0 ? 0 : startX - (down ? k + 1 : k - 1)
    while (x > startX && y > startY) {
      x--
      y--
      found.push({ before: head + x, after: head + y })
    }
    x = startX
    y = startY
  }
  return found.reverse()
}

const wordsOf = (text: string) => text.match(/\s+|[\p{L}\p{N}\p{M}_'’]+|[^\s\p{L}\p{N}]/gu) ?? []

const joined = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> => {
  const all: Array<Piece> = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (piece.text === "") continue
    if (last?.kind === piece.kind) all[all.length - 1] = { kind: last.kind, text: last.text + piece.text }
    else all.push(piece)
  }
  return all
}

/** Calls `run` for each stretch between two matches, with the items that only one side has, and for each match. */
const walk = (
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>,
  run: (removed: ReadonlyArray<string>, added: ReadonlyArray<string>, same: string | undefined) => void
) => {
  let [b, a] = [0, 0]
  for (const match of matchesOf(before, after)) {
    run(before.slice(b, match.before), after.slice(a, match.after), before[match.before])
    b = match.before + 1
    a = match.after + 1
  }
  run(before.slice(b), after.slice(a), undefined)
}

/** Compares two paragraphs word by word. */
export const piecesOf = (before: string, after: string): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  walk(wordsOf(before), wordsOf(after), (removed, added, same) => {
    pieces.push({ kind: "removed", text: removed.join("") }, { kind: "added", text: added.join("") })
    pieces.push({ kind: "same", text: same ?? "" })
  })
  return joined(pieces)
}

/** Whether two paragraphs have enough in common to be shown as one that was changed. */
const isLike = (pieces: ReadonlyArray<Piece>) => {
  const lengthOf = (kind: Piece["kind"]) =>
    pieces.reduce((sum, piece) => sum + (piece.kind === kind ? piece.text.trim().length : 0), 0)
  return lengthOf("same") >= Math.max(lengthOf("removed"), lengthOf("added")) / 2
}

/**
 * Compares two versions of an article, paragraph by paragraph and then word by word. Unchanged paragraphs are left out but
 * for those beside a change.
 */
export const changesOf = (
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>
): ReadonlyArray<Change> => {
  const all: Array<ReadonlyArray<Piece>> = []
  walk(before, after, (removed, added, same) => {
    const gone = [...removed]
    for (const text of added) {
      const old = gone[0]
      const pieces = old === undefined ? [] : piecesOf(old, text)
      if (old !== undefined && isLike(pieces)) {
        gone.shift()
        all.push(pieces)
      } else all.push([{ kind: "added", text }])
    }
    all.push(...gone.map((text): ReadonlyArray<Piece> => [{ kind: "removed", text }]))
    if (same !== undefined) all.push([{ kind: "same", text: same }])
  })
  const isChanged = (at: number) => all[at]?.some(({ kind }) => kind !== "same") === true
  const changes: Array<Change> = []
  for (const [at, pieces] of all.entries()) {
    const isNear = Array.from({ length: 2 * CONTEXT + 1 }, (_, n) => at + n - CONTEXT).some(isChanged)
    const last = changes.at(-1)
    if (isNear) changes.push({ kind: "paragraph", pieces })
    else if (last?.kind === "gap") changes[changes.length - 1] = { kind: "gap", count: last.count + 1 }
    else changes.push({ kind: "gap", count: 1 })
  }
  return changes
}
