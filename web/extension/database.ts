/** The result of a request to an IndexedDB. */
export const resultOf = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Opens an IndexedDB with one store of the same name; `prepare` is called when it is made. */
export const openDatabase = (
  name: string,
  keyPath: string,
  prepare: (store: IDBObjectStore) => void = () => {}
): Promise<IDBDatabase> => {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => prepare(request.result.createObjectStore(name, { keyPath }))
  return resultOf(request)
}
