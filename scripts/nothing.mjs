// In place of packages that one of ours imports but never uses here.
function missing() {
  throw new Error('This build has no compression and no PNG decoder.');
}

export { missing as decode, missing as unzlibSync, missing as zlibSync };
