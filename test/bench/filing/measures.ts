/** How well groups of links match their true sections. */
export interface Agreement {
  /** The share of grouped links from the majority section of their group. */
  readonly purity: number
  /** Normalized mutual information of groups and sections, over the grouped links. */
  readonly nmi: number
  /** The share of grouped links among those with a section, and among those without. */
  readonly coverage: number
  readonly strangers: number
  /** The largest group's share of all links. */
  readonly biggest: number
  readonly groups: number
}

const entropy = (counts: Iterable<number>, total: number): number => {
  let sum = 0
  for (const count of counts) sum -= (count / total) * Math.log(count / total)
  return sum
}

const counted = <A>(values: Iterable<A>): ReadonlyMap<A, number> => {
  const counts = new Map<A, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** The majority section of a group and its count. */
export const mostly = (
  group: ReadonlyArray<number>,
  truth: ReadonlyMap<number, number>
): readonly [section: number, count: number] => {
  const [first = [0, 0]] = [...counted(group.map((id) => truth.get(id) ?? 0))].sort((a, b) => b[1] - a[1])
  return [first[0], first[1]]
}

/** Compares groups with the true sections; a negative section means none. */
export const agreement = (
  groups: ReadonlyArray<ReadonlyArray<number>>,
  truth: ReadonlyMap<number, number>
): Agreement => {
  const grouped = groups.flat()
  const total = Math.max(grouped.length, 1)
  const sectionOf = (id: number) => truth.get(id) ?? 0
  const known = [...truth.values()].filter((section) => section >= 0).length
  const ofGroups = entropy(
    groups.map((group) => group.length),
    total
  )
  const ofSections = entropy(counted(grouped.map(sectionOf)).values(), total)
  const ofBoth = entropy(
    counted(groups.flatMap((group, i) => group.map((id) => `${i} ${sectionOf(id)}`))).values(),
    total
  )
  const belonging = grouped.filter((id) => sectionOf(id) >= 0).length
  return {
    purity: groups.reduce((sum, group) => sum + mostly(group, truth)[1], 0) / total,
    nmi: (2 * (ofGroups + ofSections - ofBoth)) / Math.max(ofGroups + ofSections, 1e-9),
    coverage: belonging / Math.max(known, 1),
    strangers: (grouped.length - belonging) / Math.max(truth.size - known, 1),
    biggest: Math.max(0, ...groups.map((group) => group.length)) / truth.size,
    groups: groups.length
  }
}
