/**
 * Puts a score above the floor into the heap at an address, for the least entry where the heap is full, and gives the
 * floor that results. Layout and order are those of `offer` in `kernel.as`; `ints` and `floats` view one memory.
 */
export const offer = (
  ints: Int32Array,
  floats: Float32Array,
  heap: number,
  score: number,
  slot: number
): number => {
  const head = heap >> 2
  const entries = head + 4
  const capacity = ints[head + 1] ?? 0
  let size = ints[head] ?? 0
  let at = 0
  const move = (from: number) => {
    floats[entries + 2 * at] = floats[entries + 2 * from] ?? 0
    ints[entries + 2 * at + 1] = ints[entries + 2 * from + 1] ?? 0
    at = from
  }
  if (size < capacity) {
    at = size++
    ints[head] = size
    while (at > 0) {
      const up = (at - 1) >> 1
      if ((floats[entries + 2 * up] ?? 0) <= score) break
      move(up)
    }
  } else {
    for (let down = 1; down < size; down = 2 * at + 1) {
      if (down + 1 < size && (floats[entries + 2 * down + 2] ?? 0) < (floats[entries + 2 * down] ?? 0)) down++
      if ((floats[entries + 2 * down] ?? 0) >= score) break
      move(down)
    }
  }
  floats[entries + 2 * at] = score
  ints[entries + 2 * at + 1] = slot
  if (size === capacity) floats[head + 2] = floats[entries] ?? 0
  return floats[head + 2] ?? 0
}
