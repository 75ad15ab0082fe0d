// In place of a package that one of ours imports but never uses here.
export function decode() {
  throw new Error('This build cannot decode PNG images.');
}
