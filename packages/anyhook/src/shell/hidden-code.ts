/**
 * Detects code that the syntax tree shows as plain text. Bash ignores quotes in arithmetic and most quotes in here-documents,
 * and it evaluates an array subscript in a string that is used as a number or a name.
 */

import type { SyntaxNode } from 'unbash';
import { clip } from './word.ts';

/** How bash reads quotes in this context. */
export type Quoting = 'plain' | 'heredoc' | 'arithmetic';

const SUBSTITUTION = /\$[({[]|`|[<>]\(/;
/** `a[$(…)]` in a string. */
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

/** The start of the reason if a text is not shell text. */
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
      // The parser (unbash 6.0.3) ends these parts at the first `/` or `:`, even inside a substitution.
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
