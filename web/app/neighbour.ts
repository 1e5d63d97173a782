/** Returns the link that becomes current when `gone` leave the list: the next remaining one, or else the last one before them. */
export const neighbourOf = (ids: ReadonlyArray<number>, gone: ReadonlyArray<number>): number | null => {
  const leaving = new Set(gone)
  const at = ids.findIndex((id) => leaving.has(id))
  const stays = (id: number) => !leaving.has(id)
  return ids.slice(Math.max(0, at)).find(stays) ?? ids.slice(0, Math.max(0, at)).findLast(stays) ?? null
}
