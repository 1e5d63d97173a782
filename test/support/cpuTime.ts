/**
 * The processor time that this process has used, in milliseconds. A bound on what synchronous work may cost is checked in
 * it, because it does not grow when the machine is busy with something else.
 */
export const cpuTime = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000
}
