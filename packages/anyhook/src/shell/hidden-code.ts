/**
 * Places where bash runs code that the syntax tree shows as plain text: quotes mean nothing in arithmetic and little in
 * here-documents, and an array subscript inside a string is evaluated when the string is used as a number or a name.
 */
import type { SyntaxNode } from 'unbash';
import { clip } from './word.ts';

/** How much a quote means here. */
export type Quoting = 'plain' | 'heredoc' | 'arithmetic';

const SUBSTITUTION = /\$[({[]|`|[<>]\(/;
/** `a[$(…)]` inside a string. */
export const SUBSCRIPT_CODE = /\[[^\]]*(?:\$[({[]|`)/;
const ARITHMETIC_TESTS = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-v', '-R']);

export function hiddenCode(
  node: SyntaxNode,
  outer: Quoting,
  source: string,
): { readonly quoting: Quoting; readonly why?: string } {
  const quoting = quotingIn(node, outer);
  const why = whyHidden(node, quoting, source);
  return why === undefined
    ? { quoting }
    : { quoting, why: `${why}: ${clip(source.slice(node.pos, node.end))}` };
}

function quotingIn(node: SyntaxNode, outer: Quoting): Quoting {
  switch (node.type) {
    case 'Script':
      return 'plain';
    case 'HereDocBody':
      return 'heredoc';
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
    case 'ArithmeticWord':
    case 'Slice':
      return 'arithmetic';
    case 'TestBinary':
    case 'TestUnary':
      return ARITHMETIC_TESTS.has(node.operator) ? 'arithmetic' : outer;
    case 'ParameterExpansion':
    case 'Assignment':
      return node.index === undefined ? outer : 'arithmetic';
    default:
      return outer;
  }
}

/** How the reason begins where a text is no shell text at all. */
export const NO_BASH = 'it does not parse as bash';

function whyHidden(node: SyntaxNode, quoting: Quoting, source: string): string | undefined {
  const text = () => source.slice(node.pos, node.end);
  switch (node.type) {
    case 'Script':
      return node.errors === undefined || node.errors.length === 0
        ? undefined
        : `${NO_BASH} (${node.errors[0]?.message ?? 'unknown error'})`;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return node.script === undefined ? 'a substitution cannot be read' : undefined;
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
      return node.expression === undefined && /[$`]/.test(text().slice(1))
        ? 'arithmetic cannot be read'
        : undefined;
    case 'Unknown':
      return 'an expansion of another shell';
    case 'Transform':
      return /^[A-OQ-Za-z]$/.test(node.operand.value) ? undefined : 'a value is expanded like a prompt';
    case 'Replace':
    case 'Slice':
      // The parser ends the parts of these at the first `/` or `:`, also one inside a substitution (unbash 6.0.3).
      return SUBSTITUTION.test(text()) ? 'a substitution inside an expansion' : undefined;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return quoting !== 'plain' && SUBSTITUTION.test(node.value) ? 'quotes do not protect here' : undefined;
    case 'Literal':
      return quoting === 'arithmetic' && SUBSTITUTION.test(node.value)
        ? 'quotes do not protect here'
        : undefined;
    default:
      return undefined;
  }
}
