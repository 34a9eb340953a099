// The conformance suite imports fs.globSync, which Node has since version 22, for a command that is not used here.
// With this, the others run on Node 20.
import fs from 'node:fs';
import { register } from 'node:module';

const source = (text) => 'data:text/javascript,' + encodeURIComponent(text);
const standIn = source(`export * from 'node:fs'; export const globSync = undefined;`);

if (!fs.globSync) {
  register(source(`
    export const resolve = (specifier, context, next) =>
      specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
        ? { url: ${JSON.stringify(standIn)}, shortCircuit: true }
        : next(specifier, context);
  `));
}
