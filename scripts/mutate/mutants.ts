import { join } from 'node:path';
import {
  type BinaryExpression,
  type Block,
  type CallExpression,
  type ConditionalExpression,
  type IfStatement,
  SyntaxKind as Kind,
  type NewExpression,
  type Node,
  type PrefixUnaryExpression,
  type ReturnStatement,
  type SourceFile,
  type StringLiteral,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { root } from '../places.ts';

/** One small change of a source file: what stands from `start` to `end` becomes `after`. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

const operators: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  [Kind.EqualsEqualsEqualsToken]: ['!=='],
  [Kind.ExclamationEqualsEqualsToken]: ['==='],
  [Kind.LessThanToken]: ['<=', '>='],
  [Kind.LessThanEqualsToken]: ['<', '>'],
  [Kind.GreaterThanToken]: ['>=', '<='],
  [Kind.GreaterThanEqualsToken]: ['>', '<'],
  [Kind.PlusToken]: ['-'],
  [Kind.MinusToken]: ['+'],
  [Kind.AsteriskToken]: ['/'],
  [Kind.SlashToken]: ['*'],
  [Kind.PercentToken]: ['*'],
  [Kind.PlusEqualsToken]: ['-='],
  [Kind.MinusEqualsToken]: ['+='],
  [Kind.AmpersandAmpersandToken]: ['||'],
  [Kind.BarBarToken]: ['&&'],
  [Kind.QuestionQuestionToken]: ['&&'],
};

const erased = new Set([
  ...[Kind.ImportDeclaration, Kind.ExportDeclaration, Kind.InterfaceDeclaration, Kind.TypeAliasDeclaration],
]);

/** What only tells people or the log something: its words are no behavior that a unit test should pin down. */
const telling = /^(l10n\.|vscode\.l10n\.|(this\.)?#?\w*[lL]ogger\b)/;

/** Every mutant of the given files, named from the top folder. */
export function mutantsOf(files: readonly string[]): readonly Mutant[] {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProject: join(root, 'tsconfig.json') });
    const [project] = snapshot.getProjects();
    return files.flatMap((file) => {
      const source = project?.program.getSourceFile(join(root, file));
      return source ? mutantsIn(file, source) : [];
    });
  } finally {
    api.close();
  }
}

function mutantsIn(file: string, source: SourceFile): readonly Mutant[] {
  const mutants: Mutant[] = [];
  const { text } = source;
  const add = (start: number, end: number, after: string) => {
    const line = text.slice(0, start).split('\n').length;
    mutants.push({ file, line, start, end, before: text.slice(start, end), after });
  };
  const replace = (node: Node, after: string) => add(node.getStart(source), node.end, after);
  const condition = (node: Node) => {
    replace(node, 'true');
    replace(node, 'false');
  };
  const visit = (node: Node): void => {
    if (isErased(node) || tells(node, source)) return;
    switch (node.kind) {
      case Kind.BinaryExpression: {
        const { operatorToken } = node as BinaryExpression;
        for (const after of operators[operatorToken.kind] ?? []) replace(operatorToken, after);
        break;
      }
      case Kind.PrefixUnaryExpression: {
        const { operator, operand } = node as PrefixUnaryExpression;
        if (operator === Kind.ExclamationToken) replace(node, text.slice(operand.getStart(source), operand.end));
        break;
      }
      case Kind.IfStatement:
        condition((node as IfStatement).expression);
        break;
      case Kind.ConditionalExpression:
        condition((node as ConditionalExpression).condition);
        break;
      case Kind.TrueKeyword:
        replace(node, 'false');
        break;
      case Kind.FalseKeyword:
        replace(node, 'true');
        break;
      case Kind.NumericLiteral:
        replace(node, text.slice(node.getStart(source), node.end) === '0' ? '1' : '0');
        break;
      case Kind.StringLiteral:
        replace(node, (node as StringLiteral).text === '' ? `'mutant'` : `''`);
        break;
      case Kind.ReturnStatement: {
        const { expression } = node as ReturnStatement;
        // What is false or nothing at all already is as good as nothing.
        if (
          expression &&
          !/^(undefined|null|false|'')$/.test(text.slice(expression.getStart(source), expression.end))
        ) {
          replace(node, 'return;');
        }
        break;
      }
      case Kind.ThrowStatement:
      case Kind.ExpressionStatement:
        // The constructor of a subclass can't do without super().
        if (!/^super\(/.test(text.slice(node.getStart(source), node.end))) replace(node, ';');
        break;
      case Kind.Block:
        if ((node as Block).statements.length > 1) replace(node, '{}');
        break;
      default:
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return mutants;
}

/** Types and imports: nothing of them runs. */
function isErased({ kind }: Node): boolean {
  return (kind >= Kind.FirstTypeNode && kind <= Kind.LastTypeNode) || erased.has(kind);
}

function tells(node: Node, source: SourceFile): boolean {
  const callee = (of: Node) => source.text.slice(of.getStart(source), of.end);
  if (node.kind === Kind.CallExpression) return telling.test(callee((node as CallExpression).expression));
  if (node.kind === Kind.NewExpression) return /Error$/.test(callee((node as NewExpression).expression));
  return node.kind === Kind.ExpressionStatement && telling.test(callee(node));
}
