// Prints what the TypeScript compiler knows of the functions of a project: where each is called, and where it is taken as a value.
//
//	node typescript.cjs TYPESCRIPT PROJECT
const path = require("node:path");
const ts = require(process.argv[2]);
const root = process.argv[3];

const config = ts.getParsedCommandLineOfConfigFile(path.join(root, "tsconfig.json"), {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} });
const program = ts.createProgram(config.fileNames, config.options);
const checker = program.getTypeChecker();
const sources = program.getSourceFiles().filter((f) => !f.isDeclarationFile && !path.relative(root, f.fileName).startsWith(".."));

// place returns where a node stands, with columns in bytes.
function place(node) {
  const file = node.getSourceFile();
  const start = node.getStart(file);
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  const before = file.text.slice(start - character, start);
  return { path: path.relative(root, file.fileName).split(path.sep).join("/"), line: line + 1, column: Buffer.byteLength(before) + 1 };
}

const functions = new Map(); // by symbol
const named = new Map(); // methods by their last name: others of that name may run them

// declare takes the functions of the level of a file, and the methods of its classes.
function declare(node) {
  let name, owner;
  if (ts.isFunctionDeclaration(node) && node.body && ts.isSourceFile(node.parent)) name = node.name;
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer && ts.isSourceFile(node.parent.parent.parent) &&
    (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer))) name = node.name;
  if (ts.isMethodDeclaration(node) && node.body && ts.isIdentifier(node.name) && ts.isClassDeclaration(node.parent) && node.parent.name) {
    [name, owner] = [node.name, node.parent.name.text + "."];
  }
  const symbol = name && checker.getSymbolAtLocation(name);
  if (symbol) {
    const made = { name: (owner ?? "") + name.text, at: place(name), calls: [], values: [], through: [], may: [] };
    functions.set(symbol, made);
    if (owner) named.set(name.text, [...(named.get(name.text) ?? []), made]);
  }
  ts.forEachChild(node, declare);
}

// meant returns the symbol that an identifier means where its value is used; undefined anywhere else.
function meant(id) {
  const parent = id.parent;
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isExportSpecifier(parent) || ts.isExportAssignment(parent)) return undefined;
  if (ts.isPartOfTypeNode(id) || ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent) || parent.name === id && !ts.isPropertyAccessExpression(parent) && !ts.isShorthandPropertyAssignment(parent)) return undefined;
  let symbol = ts.isShorthandPropertyAssignment(parent) ? checker.getShorthandAssignmentValueSymbol(parent) : checker.getSymbolAtLocation(id);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  return symbol;
}

// called reports whether an identifier, or the expression that only names the same, is what a call calls.
function called(id) {
  let node = id;
  while ((ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) || ts.isParenthesizedExpression(node.parent) ||
    ts.isNonNullExpression(node.parent) || ts.isAsExpression(node.parent)) node = node.parent;
  const outer = node.parent;
  return ((ts.isCallExpression(outer) || ts.isNewExpression(outer)) && outer.expression === node) || (ts.isTaggedTemplateExpression(outer) && outer.tag === node);
}

// replaced reports whether an identifier, or the property that it names, is given another value: that takes nothing.
function replaced(id) {
  const node = ts.isPropertyAccessExpression(id.parent) && id.parent.name === id ? id.parent : id;
  return ts.isBinaryExpression(node.parent) && node.parent.left === node && node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
}

function use(node) {
  if (ts.isIdentifier(node)) {
    const symbol = meant(node);
    const found = symbol && functions.get(symbol);
    if (found) (called(node) ? found.calls : replaced(node) ? found.may : found.values).push(place(node));
    for (const other of named.get(node.text) ?? []) if (other !== found) other.may.push(place(node));
  }
  ts.forEachChild(node, use);
}

sources.forEach(declare);
sources.forEach(use);
process.stdout.write(JSON.stringify([...functions.values()]));
