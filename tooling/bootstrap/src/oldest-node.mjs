// Imported first by every entry. It must parse, and say what is missing, on any Node that knows modules.
const oldestMajor = 20;
if (Number(process.versions.node.split('.')[0]) < oldestMajor) {
  console.error(
    `Portcullis needs Node ${oldestMajor} or newer to start (this is ${process.version}): install it and try again.`,
  );
  process.exit(1);
}
