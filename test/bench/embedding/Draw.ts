/** Up to `count` different items in random order. */
export const draw = <A>(items: ReadonlyArray<A>, count: number, random: () => number): Array<A> => {
  const rest = [...items]
  const drawn: Array<A> = []
  while (drawn.length < count && rest.length > 0)
    drawn.push(...rest.splice(Math.floor(random() * rest.length), 1))
  return drawn
}
