/**
 * Failures that must not keep the rest from being done: those of one step, kept while the other steps are taken, and
 * those for lack of memory or stack. A close can be repeated after any of them, and waits for no thread that never
 * returns. For this library only.
 */
package dev.sluice.failure;
