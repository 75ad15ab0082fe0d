/**
 * Frees the memory of bytes that nobody reads any more at once, unless something else lies in it too: of a view of a
 * part of its buffer nothing is freed. The bytes are gone for everybody who holds them. Left to the garbage collector,
 * large pieces pile up until it goes over everything that the process holds.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached) buffer.transfer(0);
}
